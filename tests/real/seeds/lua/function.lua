local function f(a, ...)
  if a == nil then return -1 end
  while a < 0x10 do a = a + 1 end
  return a, ...
end
