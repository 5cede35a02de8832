'use strict';
// Shows what the engine sends. All texts are set as text, never as markup.
const query = location.search;
const EVENTS_MAX = 200;
const by = id => document.getElementById(id);

function element(name, text, className) {
	const e = document.createElement(name);
	if (text !== undefined) e.textContent = text;
	if (className) e.className = className;
	return e;
}

function count(n) {
	return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

function clock(seconds) {
	const s = Math.max(0, Math.floor(seconds));
	const two = n => String(n).padStart(2, '0');
	return two(Math.floor(s / 3600)) + ':' + two(Math.floor(s / 60) % 60) +
		':' + two(s % 60);
}

function number(label, value, note) {
	const card = element('div');
	card.append(element('span', label), element('b', value),
		element('span', note));
	return card;
}

const kinds = ['crashes', 'hangs', 'ooms', 'leaks'];

function showNumbers(s) {
	const findings = s.crashes + s.hangs + s.ooms + s.leaks;
	by('numbers').replaceChildren(
		number('executions per second', count(s.execs_per_sec),
			count(s.past_execs + s.execs) + ' in all'),
		number('coverage bits', count(s.coverage_bits),
			count(s.counters_hit) + ' of ' + count(s.counters_total) + ' edges'),
		number('corpus', count(s.corpus), count(s.interesting) + ' with new coverage'),
		number('last new input', s.last_find_s < 0 ? '–' : clock(s.last_find_s),
			'ago'),
		number('findings', count(findings), kinds.filter(k => s[k] > 0)
			.map(k => k + ' ' + s[k]).join(', ') || 'nothing yet'),
		number('stability', s.stability.toFixed(0) + ' %',
			'of new inputs cover the same again'));
}

function makeRow(heads) {
	const row = element('tr');
	for (const h of heads) {
		const td = element('td', undefined, h.n ? 'n' : '');
		if (h.opens) td.append(element('button'));
		row.append(td);
	}
	return row;
}

// Rows and their buttons stay, so that a click or the focus is not lost.
function fill(table, heads, rows) {
	if (table.rows.length !== rows.length + 1) {
		const head = element('tr');
		for (const h of heads)
			head.append(element('th', h.text, h.n ? 'n' : ''));
		table.replaceChildren(head, ...rows.map(() => makeRow(heads)));
	}
	rows.forEach((cells, r) => cells.forEach((cell, i) => {
		const td = table.rows[r + 1].cells[i];
		const to = heads[i].opens ? td.firstChild : td;
		if (to.textContent !== cell) to.textContent = cell;
	}));
}

let chosen = null; // the finding whose report is shown

async function showReport(id) {
	chosen = id;
	for (const row of by('findings').querySelectorAll('tr'))
		row.classList.toggle('chosen', row.dataset.id === id);
	let text;
	try {
		const reply = await fetch('/findings/' + encodeURIComponent(id) + query);
		text = reply.ok ? await reply.text() : 'There is no report yet.';
	} catch {
		text = 'The campaign has ended, or cannot be reached.';
	}
	// The user may have chosen another one, or none, in the meantime.
	if (chosen !== id) return;
	by('text').textContent = text;
	by('report').hidden = false;
}

// How many replays failed, and with which build: snapshot_replays() in JavaScript.
function again(f) {
	if (f.replays === 0 && f.replays_before === 0) return '-';
	const passed = f.standing !== 'fixed' && f.reproduced === 0 && f.replays_build !== f.build;
	if (f.replays_before > 0 && (f.replays === 0 || passed))
		return f.reproduced_before + '/' + f.replays_before + ' before';
	const old = f.standing === 'not seen' || (f.standing === 'open' &&
		f.replays_build !== '' && f.replays_build !== f.build);
	const before = f.replays_before > 0 && !old;
	return (before ? f.reproduced_before + '/' + f.replays_before + ' before, ' : '') +
		f.reproduced + '/' + f.replays +
		(old ? ' before' : before ? ' with this build' : '');
}

function hideReport() {
	chosen = null;
	by('report').hidden = true;
	for (const row of by('findings').querySelectorAll('.chosen'))
		row.classList.remove('chosen');
}

function showFindings(s) {
	if (s.findings.length === 0) {
		by('findings').replaceChildren(element('caption', 'Nothing was found.'));
		return;
	}
	fill(by('findings'), [{text: 'what', opens: true}, {text: 'where'},
		{text: 'seen', n: true}, {text: 'bytes', n: true}, {text: 'state'},
		{text: 'again'}],
	s.findings.map(f => [f.what, f.where, count(f.count),
		count(f.minimized_len || f.len),
		f.standing === 'open' ? f.state : f.state + ', ' + f.standing,
		again(f)]));
	s.findings.forEach((f, i) => {
		const row = by('findings').rows[i + 1];
		row.dataset.id = f.id;
		row.classList.toggle('chosen', f.id === chosen);
	});
}

function showWorkers(s) {
	fill(by('workers'), [{text: 'worker', n: true}, {text: 'state'},
		{text: 'per second', n: true}, {text: 'executions', n: true},
		{text: 'new inputs', n: true}, {text: 'deaths', n: true},
		{text: 'MiB', n: true}],
	s.workers.map(w => [String(w.id), w.state, count(w.execs_per_sec),
		count(w.execs), count(w.finds), count(w.deaths),
		count(w.rss_kb / 1024)]));
}

function showCurve(series) {
	const n = series.at_s.length;
	if (n < 2) return;
	const end = series.at_s[n - 1] || 1;
	const top = Math.max(...series.coverage_bits, 1);
	let path = '', y = 160;
	for (let i = 0; i < n; i++) {
		const x = 600 * series.at_s[i] / end;
		path += (i ? 'L' + x + ' ' + y : 'M' + x + ' ' + y);
		y = 158 - 156 * series.coverage_bits[i] / top;
		path += 'L' + x + ' ' + y;
	}
	by('line').setAttribute('d', path);
	by('area').setAttribute('d', path + 'V160H0Z');
	by('bits').replaceChildren(...[top, top / 2, 0].map(n =>
		element('span', count(n))));
	by('times').replaceChildren(element('span', '0'),
		element('span', clock(end / 2)), element('span', clock(end)));
}

let run = ''; // of the engine that sent the events

function showEvent(message) {
	const e = JSON.parse(message.data), row = element('li');
	const sender = message.lastEventId.split('-')[0];
	// Another engine does not know what this page has seen: it sends the latest.
	if (sender !== run) by('events').replaceChildren();
	run = sender;
	row.append(element('time', clock(e.at_s)),
		element('b', e.event), ' ' + e.text);
	by('events').prepend(row);
	while (by('events').children.length > EVENTS_MAX)
		by('events').lastChild.remove();
}

function showState(text, kind) {
	by('state').textContent = text;
	by('state').className = kind;
}

async function refresh() {
	let wait = 1000;
	try {
		const [stats, series] = await Promise.all(['/stats.json', '/series.json']
			.map(async path => {
				const reply = await fetch(path + query);
				if (!reply.ok) throw new Error(String(reply.status));
				return reply.json();
			}));
		by('target').textContent = stats.target;
		document.title = stats.state + ' ' + stats.target;
		by('elapsed').textContent = clock(stats.past_s + stats.elapsed_s);
		showState(stats.state, stats.state);
		showNumbers(stats);
		showFindings(stats);
		showWorkers(stats);
		showCurve(series);
	} catch (error) {
		showState(error.message === '401' ? 'the token is missing or wrong' :
			'the campaign has ended, or cannot be reached', 'lost');
		wait = 5000;
	}
	setTimeout(refresh, wait);
}

by('findings').addEventListener('click', event => {
	if (event.target.closest('button'))
		showReport(event.target.closest('tr').dataset.id);
});
by('close').addEventListener('click', hideReport);
refresh();
new EventSource('/events' + query).onmessage = showEvent;
