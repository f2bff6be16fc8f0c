import * as fc from 'fast-check';
import { ingestObservations, MAX_REPORTED_LINES, type ObservationWriter } from './ingest.js';
import { MAX_LINE_BYTES, ndjsonLines } from '#kernel/values/ndjson-lines.js';
import type { Sighting } from './sighting.js';

function recordingWriter() {
  const batches: (readonly Sighting[])[] = [];
  const writer: ObservationWriter = {
    write: (sightings) => {
      batches.push(sightings);
      return Promise.resolve(
        sightings.map(({ observation: { ref } }) =>
          ref.startsWith('bad') ? { rejected: `${ref} is refused` } : 'accepted',
        ),
      );
    },
  };
  return { writer, batches, refs: () => batches.flat().map(({ observation: { ref } }) => ref) };
}

async function* chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

const post = (ref: string): string => JSON.stringify({ kind: 'post', ref });

describe('ingestObservations', () => {
  it('reads one observation per line, with any line ending', async () => {
    const { writer, refs } = recordingWriter();
    const report = await ingestObservations(
      writer,
      chunksOf(`\ufeff${post('a')}\r\n\n   \n${post('b')}\n${post('c')}`),
    );
    expect(refs()).toEqual(['a', 'b', 'c']);
    expect(report).toEqual({
      accepted: 3,
      unchanged: 0,
      rejected: [],
      rejectedTotal: 0,
      notes: [],
      notesTotal: 0,
    });
  });

  it('OPS-10 reports bad lines by number, counted from 1, and keeps the others', async () => {
    const { writer, refs } = recordingWriter();
    const report = await ingestObservations(
      writer,
      chunksOf(
        `${post('bad:1')}\n{"kind":"post"}\n{nonsense\n\n`,
        Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
        `{"kind":"post","ref":"x","text":"\\ud800"}\n{"kind":"post","ref":"y","text":"\\u0000"}\n`,
        `{"kind":"post","ref":"z","text":"\u0000"}\n${post('good')}\n${'['.repeat(500_000)}\n`,
      ),
    );
    expect(refs()).toEqual(['bad:1', 'good']);
    expect(report.accepted).toBe(1);
    expect(report.rejected).toEqual([
      { line: 1, message: 'bad:1 is refused' },
      { line: 2, message: 'ref is required' },
      { line: 3, message: 'the line is not valid JSON' },
      { line: 5, message: 'the line is not valid UTF-8' },
      { line: 6, message: 'text must not contain U+0000 or half of a surrogate pair' },
      { line: 7, message: 'text must not contain U+0000 or half of a surrogate pair' },
      { line: 8, message: 'the line is not valid JSON' },
      { line: 10, message: 'the line is not valid JSON' },
    ]);
  });

  it('reports the texts that were cut', async () => {
    const { writer } = recordingWriter();
    const long = JSON.stringify({ kind: 'post', ref: 'a', text: 'x'.repeat(70_000) });
    const report = await ingestObservations(writer, chunksOf(`${post('b')}\n${long}\n`));
    expect(report).toMatchObject({
      accepted: 2,
      notes: [{ line: 2, message: 'text was cut to 65536 bytes' }],
      notesTotal: 1,
    });
  });

  it('lists the first rejections only and counts them all', async () => {
    const { writer } = recordingWriter();
    const report = await ingestObservations(writer, chunksOf('?\n'.repeat(MAX_REPORTED_LINES + 7)));
    expect(report.rejected.length).toBe(MAX_REPORTED_LINES);
    expect(report.rejectedTotal).toBe(MAX_REPORTED_LINES + 7);
    expect(report.rejected.at(-1)?.line).toBe(MAX_REPORTED_LINES);
  });

  it('writes in bounded batches and yields to other work after each', async () => {
    const { writer, batches } = recordingWriter();
    let turns = 0;
    const timer = setInterval(() => undefined, 1_000);
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const progress: number[] = [];
    await ingestObservations(writer, chunksOf(`${post('a')}\n`.repeat(1_000)), {
      onProgress: ({ accepted }) => progress.push(accepted),
    });
    clearImmediate(counting);
    clearInterval(timer);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(200);
    expect(turns).toBeGreaterThanOrEqual(batches.length - 1);
    expect(progress.at(-1)).toBe(1_000);
    expect(progress.length).toBeGreaterThanOrEqual(5);
  });

  it('rejects if the stream breaks, and keeps what was written before', async () => {
    const { writer, refs } = recordingWriter();
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${post('a')}\n`.repeat(250));
      throw new Error('the connection was lost');
    }
    await expect(ingestObservations(writer, breaking())).rejects.toThrow('the connection was lost');
    expect(refs().length).toBe(200);
  });
});

describe('ndjsonLines', () => {
  async function linesOf(chunks: readonly Uint8Array[]): Promise<(string | null)[]> {
    const lines: (string | null)[] = [];
    for await (const batch of ndjsonLines(chunksOf(...chunks))) {
      for (const { number, bytes } of batch) {
        expect(number).toBe(lines.length + 1);
        lines.push(bytes === null ? null : Buffer.from(bytes).toString());
      }
    }
    return lines;
  }

  it('splits lines at any chunk boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '系', '\n', '\r') }),
        fc.array(fc.nat(40)),
        async (text, cuts) => {
          const bytes = Buffer.from(text);
          const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
          const expected = text.split('\n');
          if (expected.at(-1) === '') expected.pop();
          expect(await linesOf(chunks)).toEqual(expected);
        },
      ),
    );
  });

  it('drops a line over 1 MiB and continues with the next', async () => {
    const full = Buffer.alloc(MAX_LINE_BYTES, 'x');
    const lines = await linesOf([
      full,
      Buffer.from('\n'),
      full,
      Buffer.from('y\nz\n'),
      full,
      full,
      Buffer.from('\nq'),
    ]);
    expect(lines.map((line) => line?.length ?? null)).toEqual([MAX_LINE_BYTES, null, 1, null, 1]);
  });

  it('OPS-32 buffers at most one line of an endless line, and refuses it after 64 MiB', async () => {
    const chunk = Buffer.alloc(1 << 20, 'x');
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 2_000; index++) yield chunk;
    }
    const before = process.memoryUsage().arrayBuffers;
    let highest = 0;
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const part of endless()) {
        highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
        yield part;
      }
    }
    let read = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const part of watched()) {
        read += part.length;
        yield part;
      }
    }
    const batches: unknown[] = [];
    const reading = (async () => {
      for await (const batch of ndjsonLines(counted())) batches.push(batch);
    })();
    await expect(reading).rejects.toThrow(/64 MiB/);
    expect(batches).toEqual([]);
    expect(read).toBe(65 << 20);
    expect(highest).toBeLessThan(16 << 20);
  });
});
