import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { observationSchema } from '#network/published-schema.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { endedCli, jsonOf, onData } from '../support/cli.js';
import { scene } from '../support/scene.js';
import { NDJSON } from '../support/service.js';

const folder = temporaryFolder('signal-ledger-check');
const GOOD = '{"kind":"post","ref":"post:1","url":"here"}';
const BAD = '{"kind":"person","ref":"","handle":"a b","geo":7}';
const FAULTS =
  'ref must have 1 to 500 characters; handle must be a handle without spaces; geo must be a JSON object';
const REPORT = {
  valid: 1,
  rejected: [
    { line: 2, message: FAULTS },
    { line: 4, message: 'the line is not valid JSON' },
  ],
  rejected_total: 2,
  notes: [{ line: 1, message: 'url is not an http or https address and was left out' }],
  notes_total: 1,
};

describe('network.check', () => {
  const service = scene();

  it('reports all faults of each line like an ingest, and stores nothing', async () => {
    const lines = `${GOOD}\n${BAD}\n\n{"kind\n`;
    const checked = await service.ops('network.check', lines, NDJSON);
    expect([checked.status, checked.body]).toEqual([200, REPORT]);
    // nothing of it existed before
    const { valid, ...report } = REPORT;
    const ingested = await service.ops('network.ingest', lines, NDJSON);
    expect(ingested.body).toEqual({ accepted: valid, unchanged: 0, ...report });

    const schemaUrl = `${service.service.opsUrl}/observation.schema.json`;
    const schema = await fetch(schemaUrl, { headers: { authorization: `Bearer ${service.token}` } });
    expect(schema.headers.get('content-type')).toBe('application/schema+json');
    expect(await schema.json()).toEqual(observationSchema());
    expect((await fetch(schemaUrl)).status).toBe(401);
    expect((await service.call('GET /observation.schema.json')).status).toBe(404);
  });

  it('reads a file on the command line without a store, ends with 1 if a line is bad and with 0 otherwise', async () => {
    const run = async (text: string) => {
      const file = join(folder, 'lines.ndjson');
      writeFileSync(file, text);
      const data = join(folder, 'data');
      const args = ['network', 'check', file, '--json'];
      const { code, lines, errors } = await endedCli(args, onData(data));
      expect([errors, existsSync(data)]).toEqual(['', false]);
      return { code, report: JSON.parse(lines[0] ?? '') };
    };
    expect(await run(`${GOOD}\n${BAD}\n\n{"kind\n`)).toEqual({ code: 1, report: REPORT });
    const none = { rejected: [], rejected_total: 0, notes: [], notes_total: 0 };
    expect(await run('{"kind":"post","ref":"post:1"}\n')).toEqual({ code: 0, report: { valid: 1, ...none } });
  });
});

describe('OPS-33 members that a kind does not have', () => {
  const service = scene();
  const LINES = [
    '{"kind":"post","ref":"post:1","author":"p:1","publishedAt":"2026-01-05"}',
    '{"kind":"post","ref":"post:2","author":"p:1","author_ref":"p:1"}',
    '{"kind":"company","ref":"c:1","handle":"acme","locations":[{"town":"Paris"},{"town":"Lyon","city":"Lyon"}]}',
  ];
  const author = 'author is not a member of a post (author_ref?)';
  const published = 'publishedAt is not a member of a post (published_at?)';
  const town = 'locations.town is not a member of a company';

  it('are named in the notes of check and ingest, once per kind, with the count and the probable member', async () => {
    const send = (command: string) => service.ops(command, LINES.join('\n'), NDJSON);
    const notes = {
      notes: [
        { line: 1, message: `${author} and is ignored, in 2 lines` },
        { line: 1, message: `${published} and is ignored, in 1 line` },
        { line: 3, message: `${town} and is ignored, in 1 line` },
      ],
      notes_total: 3,
    };
    expect((await send('network.check')).body).toMatchObject({ valid: 3, rejected_total: 0, ...notes });
    const rejected = [
      { line: 1, message: `${author}; ${published}` },
      { line: 2, message: author },
      { line: 3, message: town },
    ];
    const strict = { rejected, rejected_total: 3, notes: [], notes_total: 0 };
    expect((await send('network.check?strict=true')).body).toEqual({ valid: 0, ...strict });
    expect((await send('network.ingest?strict=1')).body).toEqual({ accepted: 0, unchanged: 0, ...strict });
    expect((await send('network.ingest')).body).toMatchObject({ accepted: 3, rejected_total: 0, ...notes });
    expect((await send('network.ingest?strict=maybe')).status).toBe(422);
  });

  it('are rejected on the command line with --strict', async () => {
    const file = join(folder, 'lines.ndjson');
    writeFileSync(file, LINES.join('\n'));
    const args = ['network', 'check', file, '--strict', '--json'];
    expect(jsonOf(await endedCli(args, onData(folder)), 1).rejected_total).toBe(3);
  });
});

describe('docs/observation.schema.json', () => {
  it('is the schema that is served', () => {
    const file = join(import.meta.dirname, '../../../docs/observation.schema.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(observationSchema());
  });
});
