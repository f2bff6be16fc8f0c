import { createHash } from 'node:crypto';
import { toStored } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { canonicalJson } from '#kernel/values/json.js';
import type { LedgerVerification } from '../answers/verification.answer.js';
import {
  emptySums,
  fromStoredSums,
  toStoredSums,
  type LedgerSums,
  type StoredSums,
} from '#ledger/history/ledger-sums.js';
import {
  compare,
  comparePrinted,
  newProof,
  proveEntry,
  verificationOf,
  type PrintedHead,
  type Proof,
} from '#ledger/history/verify.js';
import { ndjsonLines, type NdjsonLine } from '#kernel/values/ndjson-lines.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import {
  readRecord,
  storedEntry,
  type EntryRecord,
  type HeaderRecord,
  type OpenHoldRecord,
} from './exported-records.js';
import { balanceAfter, footerRecord, openingOf, type Opening } from './json-lines.js';

/**
 * Verifies an exported ledger without any store: the chain of seals, the rules of the books, every running balance,
 * header and footer, and the bytes of the file. Names the first revision that differs. Memory does not grow with the
 * number of entries. An export that begins after the first entry is verified from its stated opening: compare its
 * `before` with the end of the previous export, or with the ledger by `onOpening`. `onEntries` receives the entries as
 * they are read.
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array>,
  printed: PrintedHead | null,
  onProgress: OnProgress,
  onEntries: (entries: readonly StoredEvent[]) => Promise<void> = async () => undefined,
  onOpening: (stated: StoredSums) => Promise<void> = async () => undefined,
): Promise<LedgerVerification> {
  const reading = exportReading(printed);
  const startedAt = performance.now();
  let lines = 0;
  for await (const batch of ndjsonLines(chunks)) {
    for (const line of batch) reading.add(line);
    await onEntries(reading.takeEntries());
    lines += batch.length;
    onProgress({ done: lines, total: null, perSecond: (lines / (performance.now() - startedAt)) * 1_000 });
  }
  const verification = reading.finish();
  const stated = reading.opening();
  if (stated !== null) await onOpening(stated);
  return verification;
}

/** The header and open holds before the first entry, while they are being read. */
type Beginning = { readonly header: HeaderRecord; readonly holds: OpenHoldRecord[] };
type Course = { readonly proof: Proof; readonly opening: Opening; readonly workspaceId: number | null };

function exportReading(printed: PrintedHead | null) {
  const file = createHash('sha256');
  let beginning: Beginning | null = null;
  let course: Course | null = null;
  let entries = 0;
  let ended = false;
  let taken: StoredEvent[] = [];
  let stated: StoredSums | null = null;

  function begin(): Course {
    if (beginning === null) {
      return { proof: newProof(), opening: openingOf(emptySums()), workspaceId: null };
    }
    const { header, holds } = beginning;
    const proof = newProof(sumsOf(header, holds));
    stated = toStoredSums(proof.sums);
    compareOpening(proof, header);
    comparePrintedBefore(proof, printed);
    return { proof, opening: openingOf(proof.sums), workspaceId: header.workspace_id };
  }

  function broken(number: number, expected: string, found: string | null): void {
    course ??= begin();
    compare(course.proof, nextRevision(course.proof), `line ${number}`, expected, shortened(found));
  }

  function addEntry(entry: EntryRecord, current: Course): void {
    const { proof, workspaceId } = current;
    const stored = storedEntry(workspaceId ?? 0, entry);
    entries += 1;
    taken.push(stored);
    proveEntry(proof, stored, printed);
    compare(proof, stored.revision, 'workspace', String(workspaceId), entry.metadata['workspaceId'] ?? null);
    compare(proof, stored.revision, 'balance', String(balanceAfter(proof.sums)), String(entry.balance));
  }

  function addFooter(text: string, { proof, opening }: Course): void {
    ended = true;
    compare(proof, null, 'footer', canonicalJson(footerRecord(entries, opening, proof.sums, file)), text);
  }

  return {
    add({ number, bytes }: NdjsonLine): void {
      const text = bytes === null ? null : textOf(bytes);
      const record = text === null ? null : readRecord(text);
      if (ended) return broken(number, 'the end of the file', text);
      if (record === null || text === null) {
        broken(number, number === 1 ? 'the header of a ledger export' : 'a line of a ledger export', text);
      } else if (record.record === 'header') {
        if (beginning === null && course === null) beginning = { header: record, holds: [] };
        else broken(number, 'one header', text);
      } else if (record.record === 'open hold') {
        if (beginning !== null && course === null) beginning.holds.push(record);
        else broken(number, 'open holds right behind the header', text);
      } else if (beginning === null && course === null) {
        broken(number, 'the header of a ledger export', text);
      } else if (record.record === 'entry') {
        addEntry(record, (course ??= begin()));
      } else {
        addFooter(text, (course ??= begin()));
      }
      if (bytes !== null) file.update(bytes).update('\n');
    },
    /** The entries read since the last call. */
    takeEntries(): readonly StoredEvent[] {
      const read = taken;
      taken = [];
      return read;
    },
    /** The sums that the header states; null without a header. */
    opening: (): StoredSums | null => stated,
    finish(): LedgerVerification {
      const { proof } = (course ??= begin());
      if (!ended) compare(proof, null, 'footer', 'the last line', null);
      comparePrinted(proof, printed);
      return verificationOf(proof);
    },
  };
}

function sumsOf({ before }: HeaderRecord, holds: readonly OpenHoldRecord[]): LedgerSums {
  const openHolds = holds.map(({ record: _record, ...hold }) => hold);
  return fromStoredSums({ ...before, openHolds });
}

/** The opening must equal the sum of its parts; before the first entry it is zero. */
function compareOpening(proof: Proof, { opening }: HeaderRecord): void {
  const { sums } = proof;
  compare(proof, null, 'opening', String(balanceAfter(sums)), String(opening));
  if (sums.revision === null) {
    const nothing = canonicalJson(toStoredSums(emptySums()));
    compare(proof, null, 'sums before the first entry', nothing, canonicalJson(toStoredSums(sums)));
  }
  for (const [payer, { held }] of sums.books.accounts) {
    const open = [...sums.books.openHolds.values()].filter((hold) => hold.payer === payer);
    const total = open.reduce((sum, { credits }) => sum + credits, 0n);
    compare(proof, null, `held by ${payer} at the opening`, toStored(total), toStored(held));
  }
}

/** A head that was printed before the first entry: the file has no entry to compare it with, except the last of those. */
function comparePrintedBefore(proof: Proof, printed: PrintedHead | null): void {
  const { revision, hash } = proof.sums;
  if (printed === null || revision === null || BigInt(printed.revision) > revision) return;
  if (BigInt(printed.revision) === revision)
    return compare(proof, revision, 'hash printed earlier', printed.hash, hash);
  compare(
    proof,
    null,
    'revision printed earlier',
    String(printed.revision),
    `the file begins after ${revision}`,
  );
}

const nextRevision = ({ head }: Proof): bigint => (head?.revision ?? -1n) + 1n;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line; null if its bytes are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

const MOST_CHARACTERS = 200;

const shortened = (text: string | null): string | null =>
  text === null ? null : text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
