import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '#kernel/values/json.js';
import { houseRoot } from '#test/house/house.js';

/** The folder of the stored files. */
export const FOLDER = join(houseRoot, 'test/stored-data');

/** A stored file, unpacked. */
export const unpacked = (file: string): Buffer => gunzipSync(readFileSync(join(FOLDER, `${file}.gz`)));
/** The values in a stored file with one of them per line. */
export const linesOf = <Line>(file: string): readonly Line[] =>
  unpacked(file)
    .toString('utf8')
    .split('\n')
    .flatMap((line): readonly Line[] => (line === '' ? [] : [JSON.parse(line)]));

/** An event in the journal: all of it except its global position, which is that of its line. */
export type JournalEvent = {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: { readonly [name: string]: string };
};

export const journal: readonly JournalEvent[] = linesOf('events.jsonl');
