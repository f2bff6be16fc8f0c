import { createHash } from 'node:crypto';
import { formatCredits, parseCredits, type Credits } from '#kernel/values/credits.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { parseInstant } from '#kernel/values/instants.js';
import { ndjsonLines } from '#kernel/values/ndjson-lines.js';
import { parseDomain, parseHandle } from '#kernel/values/network-identifiers.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { refusal } from '#kernel/values/refusal.js';
import { paidMonthSubject } from '#ledger/charging/paid-elsewhere.js';
import { MOST_OPENING_LOTS } from '#ledger/domain/credits.events.js';
import { isPlain, PLAIN_TERMS, type LotTerms } from '#ledger/domain/lots.js';
import type { PaidSubject } from '#ledger/domain/paid-subjects.events.js';
import { readLine, type Kind, type OpeningLine, type LineOf } from './opening-lines.js';

/** Most faults that are told of one file: nothing is read behind them. */
const MOST_FAULTS = 100;
const MOST_PAID = 500_000;
const MOST_BYTES = 128 * 1024 * 1024;
/** Of those that are listed one by one; all of them count. */
const MOST_LISTED = 1_000;

export const openingFileInvalid = refusal({
  code: 'opening-file-invalid',
  kind: 'unprocessable',
  detail: 'The file is not valid: nothing was imported.',
});

/** What was left of one grant, with the line that says so. */
export type FileLot = LotTerms & {
  readonly line: number;
  readonly id: string;
  readonly credits: Credits;
  readonly grantedAt: string | null;
};

type ListedHold = {
  readonly id: string;
  readonly credits: Credits;
  readonly heldAt: string | null;
  readonly what: string | null;
};

/** A file that is valid in itself: its closing is what its lines come to. */
export type OpeningFile = {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly system: string;
  readonly closedAt: string;
  readonly credits: Credits;
  readonly lots: readonly FileLot[];
  readonly paid: readonly PaidSubject[];
  /** The first line that names an agent, a setup or a persona. */
  readonly agents: ReadonlyMap<number, number>;
  readonly setups: ReadonlyMap<number, number>;
  readonly personas: ReadonlyMap<number, number>;
  readonly openHolds: {
    readonly count: number;
    readonly credits: Credits;
    readonly listed: readonly ListedHold[];
  };
  readonly history: { readonly count: number; readonly from: string | null; readonly to: string | null };
};

/** What subjects look like that could be found here. */
export type SubjectForms = { readonly isSubject: (text: string) => boolean; readonly forms: string };

/**
 * Reads a file whole and judges every line. Throws `openingFileInvalid` that names line and member of what is wrong, a
 * hundred faults at most.
 */
export async function readOpeningFile(
  chunks: AsyncIterable<Uint8Array>,
  forms: SubjectForms,
  onProgress: OnProgress,
): Promise<OpeningFile> {
  const hash = createHash('sha256');
  const reading = openingReading(forms);
  const startedAt = performance.now();
  for await (const batch of ndjsonLines(hashed(chunks, hash))) {
    for (const { number, bytes } of batch) {
      reading.add(number, bytes);
      if (reading.isHopeless()) throw reading.refused();
    }
    const done = batch.at(-1)?.number ?? 0;
    onProgress({ done, total: null, perSecond: (done / (performance.now() - startedAt)) * 1_000 });
  }
  return reading.finish(hash.digest('hex'));
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hash: { readonly update: (bytes: Uint8Array) => unknown },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw openingFileInvalid({ detail: 'A file has at most 128 MiB. Nothing was imported.' });
    hash.update(chunk);
    yield chunk;
  }
}

function openingReading({ isSubject, forms }: SubjectForms) {
  const faults: Faults = new Map();
  const seen = new Map<string, number>();
  const lots: FileLot[] = [];
  const paid: PaidSubject[] = [];
  const listed: ListedHold[] = [];
  const named = {
    agents: new Map<number, number>(),
    setups: new Map<number, number>(),
    personas: new Map<number, number>(),
  };
  let closing: (LineOf<'closing'> & { readonly at: number }) | null = null;
  let isFirst = true;
  let [holds, held, movements] = [0, 0n, 0];
  let from: string | null = null;
  let to: string | null = null;

  const fault = (line: number, member: string, message: string): void =>
    note(faults, [`line ${line}`, member].filter(Boolean).join(' '), message);

  function amount(line: number, text: number | string): Credits {
    const credits = parseCredits(text);
    if (credits !== null && credits > 0n) return credits;
    fault(
      line,
      'credits',
      'must be more than 0, a decimal number with at most six decimals, at most 1000000000',
    );
    return 0n;
  }

  function instant(line: number, member: string, text: string | undefined): string | null {
    if (text === undefined) return null;
    const read = parseInstant(text);
    if (read === null) fault(line, member, 'must be a date or an RFC 3339 timestamp');
    return read === null ? null : read.at.toISOString();
  }

  function requireFirst(line: number, member: string, key: string): void {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, line);
    else fault(line, member, `stands in line ${first} too`);
  }

  function nameOnce(names: Map<number, number>, id: number | undefined, line: number): void {
    if (id !== undefined && !names.has(id)) names.set(id, line);
  }

  const readers: { readonly [K in Kind]: (line: number, read: LineOf<K>) => void } = {
    closing(line, read) {
      if (closing !== null) fault(line, 'kind', `the closing stands in line ${closing.at} too`);
      else closing = { ...read, at: line };
      const total = parseCredits(read.credits);
      if (total === null || total < 0n)
        fault(line, 'credits', 'must be 0 or more, a decimal number with at most six decimals');
      instant(line, 'closed_at', read.closed_at);
    },
    lot(line, { id, credits, granted_at, expires_at, priority, promotional }) {
      requireFirst(line, 'id', `lot ${id}`);
      lots.push({
        line,
        id,
        credits: amount(line, credits),
        grantedAt: instant(line, 'granted_at', granted_at),
        expiresAt: instant(line, 'expires_at', expires_at),
        priority: priority ?? PLAIN_TERMS.priority,
        promotional: promotional ?? PLAIN_TERMS.promotional,
      });
    },
    paid(line, { subject, agent_id: agentId, signal_setup_id: setupId }) {
      if (agentId !== undefined && setupId !== undefined)
        fault(line, 'signal_setup_id', 'cannot stand beside agent_id');
      if (!isSubject(subject)) fault(line, 'subject', `is none of this service: ${forms}`);
      requireFirst(line, 'subject', `paid ${agentId ?? ''}/${setupId ?? ''}/${subject}`);
      nameOnce(named.agents, agentId, line);
      nameOnce(named.setups, setupId, line);
      paid.push({
        subject,
        ...(agentId === undefined ? {} : { agentId }),
        ...(setupId === undefined ? {} : { setupId }),
      });
    },
    paid_month(line, { domain, handle, persona_id: personaId, until }) {
      if ((domain === undefined) === (handle === undefined)) {
        fault(line, 'domain', 'either domain or handle names the company');
        return;
      }
      const company = domain === undefined ? parseHandle(handle ?? '') : parseDomain(domain);
      if (company === null) {
        fault(line, domain === undefined ? 'handle' : 'domain', 'names no company');
        return;
      }
      const name = company.by === 'domain' ? { domain: company.domain } : { handle: company.handle };
      const subject = paidMonthSubject(name, personaId);
      requireFirst(line, 'persona_id', `month ${subject}`);
      nameOnce(named.personas, personaId, line);
      paid.push({ subject, until: instant(line, 'until', until) ?? '' });
    },
    open_hold(line, { id, credits, held_at, what }) {
      requireFirst(line, 'id', `hold ${id}`);
      const hold = { id, credits: amount(line, credits), heldAt: instant(line, 'held_at', held_at) };
      holds += 1;
      held += hold.credits;
      if (listed.length < MOST_LISTED) listed.push({ ...hold, what: what ?? null });
    },
    history(line, { at, credits }) {
      if (parseCredits(credits) === null) fault(line, 'credits', 'must be a decimal number');
      const moment = instant(line, 'at', at);
      movements += 1;
      if (moment === null) return;
      if (from === null || moment < from) from = moment;
      if (to === null || moment > to) to = moment;
    },
  };
  const read = <K extends Kind>(number: number, line: Extract<OpeningLine, { kind: K }> & LineOf<K>): void =>
    readers[line.kind as K](number, line);

  function compareCount(line: number, member: string, told: number | undefined, found: number): void {
    if (told !== undefined && told !== found) fault(line, member, `is ${told}, and the file has ${found}`);
  }

  const refused = () => openingFileInvalid({ errors: new Map([...faults].slice(0, MOST_FAULTS)) });

  return {
    isHopeless: () => faults.size >= MOST_FAULTS || paid.length > MOST_PAID,
    refused: () =>
      paid.length > MOST_PAID
        ? openingFileInvalid({ detail: `A file has at most ${MOST_PAID} lines of what was paid.` })
        : refused(),
    add(number: number, bytes: Uint8Array | null): void {
      if (bytes === null) return fault(number, '', 'is longer than 1 MiB');
      const line = readLine(bytes);
      if (line === null) return;
      if ('faults' in line) {
        for (const [member, messages] of line.faults)
          for (const message of messages) fault(number, member, message);
      } else {
        if (isFirst && line.line.kind !== 'closing')
          fault(number, 'kind', 'the first line must be the closing');
        read(number, line.line);
      }
      isFirst = false;
    },
    finish(hash: string): OpeningFile {
      // What a file comes to is judged where every line is counted.
      if (faults.size > 0) throw refused();
      if (closing === null)
        throw openingFileInvalid({ detail: 'The file has no closing: it is empty. Nothing was imported.' });
      const {
        at,
        system,
        closed_at,
        lots: lotCount,
        paid: paidCount,
        open_holds,
        history,
        ...told
      } = closing;
      compareCount(at, 'lots', lotCount, lots.length);
      compareCount(at, 'paid', paidCount, paid.length);
      compareCount(at, 'open_holds', open_holds, holds);
      compareCount(at, 'history', history, movements);
      const credits = lots.reduce((sum, lot) => sum + lot.credits, 0n);
      if (parseCredits(told.credits) !== credits)
        fault(at, 'credits', `is ${told.credits}, and the lots come to ${formatCredits(credits)}`);
      const withTerms = lots.filter((lot) => !isPlain(lot)).length;
      if (withTerms > MOST_OPENING_LOTS)
        fault(at, 'lots', `${withTerms} lots have terms, and a workspace has ${MOST_OPENING_LOTS} at most`);
      if (faults.size > 0) throw refused();
      return {
        hash,
        system,
        closedAt: instant(at, 'closed_at', closed_at) ?? '',
        credits,
        lots,
        paid,
        ...named,
        openHolds: { count: holds, credits: held, listed },
        history: { count: movements, from, to },
      };
    },
  };
}
