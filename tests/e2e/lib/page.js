'use strict';
// Runs the script of the --http page without a browser: node page.js SCRIPT.
// Prints what the page shows, as JSON.
const fs = require('fs');
const vm = require('vm');

function element() {
	return {rows: [], children: [], dataset: {}, hidden: true, textContent: '',
		classList: {toggle() {}, remove() {}}, querySelectorAll: () => [],
		append(...all) { this.children.push(...all); },
		prepend(...all) { this.children.unshift(...all); },
		replaceChildren(...all) { this.children = all; }, setAttribute() {},
		addEventListener() {}};
}

const elements = {}, asked = {};
const by = id => elements[id] = elements[id] || element();
const STATS = {state: 'fuzzing', target: 'x', past_s: 3600, elapsed_s: 60,
	past_execs: 1000, findings: [], workers: [], stability: 100};
const page = vm.createContext({
	document: {getElementById: by, createElement: element},
	location: {search: ''}, EventSource: class {}, setTimeout() {},
	fetch: path => path.startsWith('/findings/') ?
		new Promise((give, fail) => asked[path.slice(10)] = {give, fail}) :
		Promise.resolve({ok: true, json: async () =>
			path === '/stats.json' ? STATS : {at_s: []}}),
});
const turn = () => new Promise(done => setImmediate(done));
const report = text => ({ok: true, text: async () => text});

async function main() {
	const shown = {};
	vm.runInContext(fs.readFileSync(process.argv[2], 'utf8'), page);
	await turn();
	shown.elapsed = by('elapsed').textContent;
	const all = ['slow', 'quick'].map(id => page.showReport(id));
	asked.quick.give(report('of quick'));
	await turn();
	asked.slow.give(report('of slow'));
	await Promise.all(all);
	shown.chosen = by('text').textContent;
	const lost = page.showReport('lost');
	asked.lost.fail(new TypeError('no network'));
	await lost.catch(() => {});
	shown.lost = by('text').textContent;
	const closed = page.showReport('closed');
	page.hideReport();
	asked.closed.give(report('of closed'));
	await closed;
	shown.hidden = by('report').hidden;
	shown.events = [['a-1', 'a-2'], ['b-1']].map(ids => {
		for (const id of ids)
			page.showEvent({lastEventId: id,
				data: JSON.stringify({at_s: 1, event: 'note', text: id})});
		return by('events').children.map(row => row.children.at(-1));
	});
	console.log(JSON.stringify(shown));
}

main();
