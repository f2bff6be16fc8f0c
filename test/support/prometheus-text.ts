/** A metric as Prometheus scrapes it: its samples by their names with labels, as they are printed. */
export type Scraped = {
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;
  readonly samples: ReadonlyMap<string, number>;
};

const SAMPLE = /^([a-z_:][a-z0-9_:]*(?:\{.*\})?) (\S+)$/i;

/** Reads the text format of Prometheus (version 0.0.4). Throws for an invalid line. */
function readPrometheusText(text: string): Scraped {
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, comment, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (comment === 'HELP') helps.set(name, rest);
    else if (comment === 'TYPE') types.set(name, rest);
    else {
      const [, sample, value] = SAMPLE.exec(line) ?? [];
      if (sample === undefined || value === undefined) throw new Error(`no line of Prometheus: ${line}`);
      samples.set(sample, Number(value));
    }
  }
  return { types, helps, samples };
}

/** The metrics on the private listener of a service, for the holder of its token. */
export async function scrape(opsUrl: string, token: string): Promise<Scraped> {
  const answer = await fetch(`${opsUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(`GET /metrics answers ${answer.status}`);
  return readPrometheusText(await answer.text());
}
