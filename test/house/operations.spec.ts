import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { operatorCommands } from '#runtime/operator-commands.js';
import { declaredMetrics, type DeclaredMetric } from '../support/declared-metrics.js';
import { scrape, type Scraped } from '../support/prometheus-text.js';
import { startTestService } from '../support/service.js';

const root = join(import.meta.dirname, '../../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
};
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
};

const alerts: { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] } =
  parse(text('ops/prometheus/alerts.yml'));
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(text('ops/grafana/signal-ledger.json'));
const queries = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
];

/** The use of one metric in a query: its name, the values of labels that it selects, and the labels it keeps. */
type Asked = { readonly name: string; readonly matchers: readonly (readonly [string, string, string])[] };

/** Grafana replaces this by an interval. */
const written = (expr: string): string => expr.replaceAll('$__rate_interval', '5m');

function nodesOf(expr: string, name: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  parser.parse(expr).iterate({ enter: ({ node }) => void (node.name === name && found.push(node)) });
  return found;
}

const faultsOf = (expr: string): readonly string[] =>
  nodesOf(expr, '⚠').map(({ from }) => `${expr} at ${from}`);

function askedBy(expr: string): readonly Asked[] {
  const slice = (node: SyntaxNode): string => expr.slice(node.from, node.to);
  return nodesOf(expr, 'VectorSelector').map((selector) => {
    const [name] = selector.getChildren('Identifier');
    const matchers = (selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map(
      (matcher): readonly [string, string, string] => {
        const [, label = '', sign = '', value = ''] =
          /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(slice(matcher)) ?? [];
        return [label, sign, value];
      },
    );
    return { name: name === undefined ? '' : slice(name), matchers };
  });
}

const keptLabels = (expr: string): readonly string[] =>
  nodesOf(expr, 'GroupingLabels').flatMap((labels) =>
    labels.getChildren('LabelName').map(({ from, to }) => expr.slice(from, to)),
  );

const isSelected = (sample: string, name: string, matchers: Asked['matchers']): boolean =>
  (sample === name || sample.startsWith(`${name}{`)) &&
  matchers.every(([label, , value]) => sample.includes(`${label}="${value}"`));

/** Labels that Prometheus adds to each sample, and its own metric. */
const OF_PROMETHEUS = ['job', 'instance'];
const UP: DeclaredMetric = { name: 'up', type: 'gauge', help: '', labels: [] };

describe('files in ops/ that operators import', () => {
  let known: ReadonlyMap<string, readonly string[]>;
  let scraped: Scraped;
  let declared: readonly DeclaredMetric[];
  beforeAll(async () => {
    const service = await startTestService();
    scraped = await scrape(String(service.service.opsUrl), service.token);
    await service.stop();
    declared = await declaredMetrics();
    const own = new Set(declared.map(({ name }) => name));
    const ofLibrary = [...scraped.types].map(([name, type]) => ({ name, type, help: '', labels: [] }));
    known = new Map(
      [UP, ...declared, ...ofLibrary.filter(({ name }) => !own.has(name))].flatMap(
        ({ name, type, labels }) =>
          type === 'histogram'
            ? [
                [`${name}_bucket`, [...labels, 'le']],
                [`${name}_sum`, labels],
                [`${name}_count`, labels],
              ]
            : [[name, labels]],
      ),
    );
  });

  it('are written in the language of Prometheus', () => {
    expect(queries.length).toBeGreaterThan(40);
    expect(queries.flatMap(({ expr }) => faultsOf(written(expr)))).toEqual([]);
    expect(faultsOf('sum by (le (rate(x[5m]))').length).toBeGreaterThan(0);
  });

  it('use metrics that exist, and labels that these have', () => {
    const faults = queries.flatMap(({ of, expr }) => {
      const asked = askedBy(written(expr));
      if (asked.length === 0) return [`${of}: asks for nothing`];
      const labels = new Set([...OF_PROMETHEUS, ...asked.flatMap(({ name }) => known.get(name) ?? [])]);
      return [
        ...asked.flatMap(({ name }) => (known.has(name) ? [] : [`${of}: no metric ${name}`])),
        ...asked.flatMap(({ name, matchers }) =>
          matchers
            .filter(([label]) => ![...OF_PROMETHEUS, ...(known.get(name) ?? [])].includes(label))
            .map(([label]) => `${of}: ${name} has no label ${label}`),
        ),
        ...keptLabels(written(expr))
          .filter((label) => !labels.has(label))
          .map((label) => `${of}: nothing has a label ${label}`),
      ];
    });
    expect(faults).toEqual([]);
  });

  it('select label values that can occur, if a service that has just started reports them', () => {
    const selected = queries.flatMap(({ expr }) => askedBy(written(expr)));
    let checked = 0;
    for (const { name, matchers } of selected) {
      for (const [label, sign, value] of matchers) {
        const values = [...scraped.samples.keys()].flatMap((sample) =>
          sample.startsWith(`${name}{`) ? [new RegExp(`\\b${label}="([^"]*)"`).exec(sample)?.[1] ?? ''] : [],
        );
        if (values.length === 0) continue;
        checked += 1;
        const pattern = new RegExp(`^(?:${sign.includes('~') ? value : value.replace(/[^\w-]/g, '\\$&')})$`);
        expect([name, label, value, values.some((one) => pattern.test(one))]).toEqual([
          name,
          label,
          value,
          true,
        ]);
      }
    }
    expect(checked).toBeGreaterThanOrEqual(3);
  });

  it('ask for an increase only of series that a service reports from its start: the first value of a series is none', () => {
    const series = [...scraped.samples.keys()];
    const missing = rules.flatMap(({ alert, expr }) =>
      expr.includes('increase(')
        ? askedBy(expr)
            .filter(({ name, matchers }) => !series.some((sample) => isSelected(sample, name, matchers)))
            .map(({ name }) => `${alert}: ${name}`)
        : [],
    );
    expect(rules.filter(({ expr }) => expr.includes('increase(')).length).toBeGreaterThan(2);
    expect(missing).toEqual([]);
  });

  it('ask in an alert about the past of a series that ends whether it is there now: it stays in the past for a while', () => {
    const watched = rules.filter(({ expr }) => expr.includes('changes('));
    const missing = watched.filter(({ expr }) => {
      const ranges = nodesOf(expr, 'MatrixSelector').flatMap((range) => range.getChildren('VectorSelector'));
      const now = nodesOf(expr, 'VectorSelector').filter(
        ({ from }) => !ranges.some((range) => range.from === from),
      );
      return now.length === 0;
    });
    expect(watched.length).toBeGreaterThan(0);
    expect(missing.map(({ alert }) => alert)).toEqual([]);
  });

  it('say of no read model that its rebuild stands still while the rebuild of another one goes on: they are built in one pass', () => {
    const [rebuild] = rules.filter(({ alert }) => alert === 'RebuildStalled');
    expect(rebuild?.expr).toMatch(/unless on \(\) max\(changes\(projection_rebuild_events\[15m\]\)\) > 0$/);
  });

  it('show or watch every metric of the product', () => {
    const asked = new Set(queries.flatMap(({ expr }) => askedBy(written(expr)).map(({ name }) => name)));
    const unseen = declared.filter(
      ({ name, type }) => !asked.has(type === 'histogram' ? `${name}_bucket` : name),
    );
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });

  it('agree with the service: no metric is declared for the documents alone', () => {
    const names = declared.map(({ name }) => name);
    expect(names.filter((name) => !scraped.types.has(name))).toEqual([]);
    const others = [...scraped.types.keys()].filter((name) => !names.includes(name));
    expect(others.filter((name) => !/^(process|nodejs)_/.test(name))).toEqual([]);
  });

  it('have metric names by the rules of Prometheus: a unit or _total last, _total for counters alone', () => {
    expect(declared.length).toBeGreaterThan(25);
    for (const { name, type } of declared) {
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect([name, /^[a-z]+(_[a-z]+)*$/.test(name)]).toEqual([name, true]);
      expect([name, /_(ms|millis|minutes|hours|kilobytes)\b/.test(name)]).toEqual([name, false]);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });
});

describe('ops/prometheus', () => {
  it('has rules with all that Prometheus and the person on call need', () => {
    expect(rules.length).toBeGreaterThan(12);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations, ...rule } of rules) {
      expect(alert).toMatch(/^[A-Z][A-Za-z]+$/);
      expect(Object.keys(rule).filter((member) => !['expr', 'for'].includes(member))).toEqual([]);
      expect(rule.for ?? '1m').toMatch(/^[1-9]\d*[smh]$/);
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(Object.keys(annotations)).toEqual(['summary', 'runbook']);
      // a label that is inserted into the text must be kept by the query
      const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => String(label));
      const kept = [...keptLabels(rule.expr), ...(askedBy(rule.expr)[0]?.name === 'up' ? OF_PROMETHEUS : [])];
      expect([alert, named.filter((label) => !kept.includes(label))]).toEqual([alert, []]);
    }
  });

  it('has a runbook for each alert, and no section without an alert', () => {
    const page = text('docs/runbooks/alerts.md');
    const sections = page.split('\n## ').slice(1);
    const anchorOf = (section: string): string =>
      (section.split('\n')[0] ?? '')
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
    const described = sections.map((section) => [
      `docs/runbooks/alerts.md#${anchorOf(section)}`,
      /^Alert: `(\w+)`, (\w+)\.$/m.exec(section)?.slice(1),
    ]);
    expect(described).toEqual(
      rules.map(({ alert, labels, annotations }) => [annotations.runbook, [alert, labels.severity]]),
    );
    for (const section of sections) expect(section.length).toBeGreaterThan(200);
  });

  it('names operator commands that exist, with their inputs', () => {
    const named = [...text('docs/runbooks/alerts.md').matchAll(/`([a-z]+ [a-z]+)((?: --[a-z-]+ <\w+>)*)`/g)];
    const commands = new Map(operatorCommands.map((command) => [command.name.replace('.', ' '), command]));
    expect(named.length).toBeGreaterThan(5);
    for (const [, name = '', options = ''] of named) {
      const inputs = Object.keys(commands.get(name)?.input.properties ?? {});
      const asked = [...options.matchAll(/--([a-z-]+)/g)].map(([, option]) =>
        String(option).replaceAll('-', '_'),
      );
      expect([name, commands.has(name), asked.filter((option) => !inputs.includes(option))]).toEqual([
        name,
        true,
        [],
      ]);
    }
  });

  it('has an example of a configuration that reads the rules beside it, with the jobs that the alerts watch', () => {
    const config = parse(text('ops/prometheus/prometheus.yml'));
    expect(
      config.rule_files.every((file: string) => readdirSync(join(root, 'ops/prometheus')).includes(file)),
    ).toBe(true);
    const jobs = config.scrape_configs.map(({ job_name }: { readonly job_name: string }) => job_name);
    const watched = rules.flatMap(({ expr }) => askedBy(expr).flatMap(({ matchers }) => matchers));
    expect(watched.filter(([label]) => label === 'job').map(([, , job]) => job)).toEqual(jobs);
  });
});

describe('ops/grafana', () => {
  it('has panels with a description, side by side, each with queries of their own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = new Set<string>();
    for (const { type, title, description = '', gridPos, targets = [] } of panels) {
      expect(title).not.toBe('');
      expect([title, type === 'row' || description.length > 5]).toEqual([title, true]);
      expect([title, type === 'row' ? 0 : 1]).toEqual([title, Math.min(1, targets.length)]);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, x < 24, cells.has(`${x}/${y}`)]).toEqual([title, true, false]);
          cells.add(`${x}/${y}`);
        }
    }
  });
});
