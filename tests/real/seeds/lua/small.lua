local t = {1, "two", x = 3.5}
for i = 1, #t do print(t[i]) end
return t.x
