/* web_series: see web_series.h. */
#include "engine/web/web_series.h"

static void
web_series_thin_out(struct web_series *s)
{
	for (size_t i = 0; i < WEB_SERIES_MAX / 2; i++)
		s->points[i] = s->points[2 * i];
	s->n = WEB_SERIES_MAX / 2;
	s->step_s *= 2;
}

void
web_series_add(struct web_series *s, const struct snapshot *snapshot)
{
	const struct web_series_point point = {
		.at_s = snapshot->past_s + snapshot->elapsed_s,
		.bits = snapshot->coverage_bits,
		.execs = snapshot->execs,
		.corpus = snapshot->corpus,
		.findings = snapshot_findings(snapshot),
	};

	if (s->step_s <= 0)
		s->step_s = 1;
	if (s->n >= 2 &&
		s->points[s->n - 1].at_s - s->points[s->n - 2].at_s < s->step_s)
		s->n--;
	else if (s->n == WEB_SERIES_MAX)
		web_series_thin_out(s);
	s->points[s->n++] = point;
}

json_t *
web_series_encode(const struct web_series *s)
{
	json_t *at = json_array(), *bits = json_array(), *execs = json_array();
	json_t *corpus = json_array(), *findings = json_array();

	for (size_t i = 0; i < s->n; i++) {
		const struct web_series_point *p = &s->points[i];

		json_array_append_new(at, json_real(p->at_s));
		json_array_append_new(bits, json_integer((json_int_t)p->bits));
		json_array_append_new(execs,
			json_integer((json_int_t)p->execs));
		json_array_append_new(corpus,
			json_integer((json_int_t)p->corpus));
		json_array_append_new(findings,
			json_integer((json_int_t)p->findings));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "at_s", at,
		"coverage_bits", bits, "execs", execs, "corpus", corpus,
		"findings", findings);
}
