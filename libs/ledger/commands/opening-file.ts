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
import { isPlain, PLAIN_TERMS } from '#ledger/domain/lots.js';
import type { LotTerms } from '#ledger/domain/lot-facts.js';
import type { PaidSubject } from '#ledger/domain/paid-subjects.events.js';
import { readLine, type LineOf, type OpeningLine } from './opening-lines.js';

/** The maximum number of reported faults; reading stops there. */
const MOST_FAULTS = 100;
const MOST_PAID = 500_000;
const MOST_BYTES = 128 * 1024 * 1024;
/** The maximum number of items that are listed one by one; all items count for the sums. */
const MOST_LISTED = 1_000;

export const openingFileInvalid = refusal({
  code: 'opening-file-invalid',
  kind: 'unprocessable',
  detail: 'The file is not valid: nothing was imported.',
});

/** The rest of one grant, with its line number. */
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

/** A file that is valid in itself: its closing equals the sum of its lines. */
export type OpeningFile = {
  /** SHA-256 of the bytes of the file. */
  readonly hash: string;
  readonly system: string;
  readonly closedAt: string;
  readonly credits: Credits;
  readonly lots: readonly FileLot[];
  readonly paid: readonly PaidSubject[];
  /** The first line that names each agent, setup or persona. */
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

/** The forms of subjects that detectors here can produce. */
export type SubjectForms = { readonly isSubject: (text: string) => boolean; readonly forms: string };

/**
 * Reads a whole file and checks every line. Throws `openingFileInvalid`, which names line and member of each fault,
 * at most 100.
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
      reading.requireReadable();
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

/** The lines read so far. */
type Draft = SubjectForms & {
  readonly faults: Faults;
  /** The first line of each thing that may appear only once in a file. */
  readonly seen: Map<string, number>;
  readonly lots: FileLot[];
  readonly paid: PaidSubject[];
  readonly listed: ListedHold[];
  readonly agents: Map<number, number>;
  readonly setups: Map<number, number>;
  readonly personas: Map<number, number>;
  closing: (LineOf<'closing'> & { readonly at: number }) | null;
  isFirst: boolean;
  holds: number;
  held: Credits;
  movements: number;
  from: string | null;
  to: string | null;
};

const emptyDraft = (forms: SubjectForms): Draft => ({
  ...forms,
  faults: new Map(),
  seen: new Map(),
  lots: [],
  paid: [],
  listed: [],
  agents: new Map(),
  setups: new Map(),
  personas: new Map(),
  closing: null,
  isFirst: true,
  holds: 0,
  held: 0n,
  movements: 0,
  from: null,
  to: null,
});

const tooManyPaid = () =>
  openingFileInvalid({ detail: `A file has at most ${MOST_PAID} lines of kinds paid and paid_month.` });

function openingReading(forms: SubjectForms) {
  const draft = emptyDraft(forms);
  const { faults, paid } = draft;
  const refused = () => openingFileInvalid({ errors: new Map([...faults].slice(0, MOST_FAULTS)) });
  return {
    /** Throws if there are too many faults or paid subjects to read on. */
    requireReadable(): void {
      if (paid.length > MOST_PAID) throw tooManyPaid();
      if (faults.size >= MOST_FAULTS) throw refused();
    },
    add(number: number, bytes: Uint8Array | null): void {
      if (bytes === null) return fault(draft, number, '', 'is longer than 1 MiB');
      const read = readLine(bytes);
      if (read === null) return;
      if ('faults' in read) {
        for (const [member, messages] of read.faults)
          for (const message of messages) fault(draft, number, member, message);
      } else {
        if (draft.isFirst && read.line.kind !== 'closing')
          fault(draft, number, 'kind', 'the first line must be the closing');
        take(draft, number, read.line);
      }
      draft.isFirst = false;
    },
    finish(hash: string): OpeningFile {
      // The sums are compared only if every line could be counted.
      if (faults.size > 0) throw refused();
      const { closing, lots, listed, agents, setups, personas, from, to } = draft;
      if (closing === null)
        throw openingFileInvalid({ detail: 'The file has no closing: it is empty. Nothing was imported.' });
      const credits = lots.reduce((sum, lot) => sum + lot.credits, 0n);
      compareClosing(draft, closing, credits);
      if (faults.size > 0) throw refused();
      return {
        hash,
        system: closing.system,
        closedAt: instant(draft, closing.at, 'closed_at', closing.closed_at) ?? '',
        credits,
        lots,
        paid,
        agents,
        setups,
        personas,
        openHolds: { count: draft.holds, credits: draft.held, listed },
        history: { count: draft.movements, from, to },
      };
    },
  };
}

/** The closing must equal the sum of the other lines, so that a truncated file is refused. */
function compareClosing(
  draft: Draft,
  { at, ...declared }: LineOf<'closing'> & { readonly at: number },
  credits: Credits,
): void {
  const { lots, paid, holds, movements } = draft;
  const compare = (member: string, count: number | undefined, found: number): void => {
    if (count !== undefined && count !== found)
      fault(draft, at, member, `is ${count}, and the file has ${found}`);
  };
  compare('lots', declared.lots, lots.length);
  compare('paid', declared.paid, paid.length);
  compare('open_holds', declared.open_holds, holds);
  compare('history', declared.history, movements);
  if (parseCredits(declared.credits) !== credits)
    fault(draft, at, 'credits', `is ${declared.credits}, and the lots add up to ${formatCredits(credits)}`);
  const withTerms = lots.filter((lot) => !isPlain(lot)).length;
  if (withTerms > MOST_OPENING_LOTS)
    fault(
      draft,
      at,
      'lots',
      `${withTerms} lots have terms, and a workspace has ${MOST_OPENING_LOTS} at most`,
    );
}

function take(draft: Draft, line: number, read: OpeningLine): void {
  switch (read.kind) {
    case 'closing':
      return takeClosing(draft, line, read);
    case 'lot':
      return takeLot(draft, line, read);
    case 'paid':
      return takePaid(draft, line, read);
    case 'paid_month':
      return takeMonth(draft, line, read);
    case 'open_hold':
      return takeHold(draft, line, read);
    case 'history':
      return takeHistory(draft, line, read);
  }
}

function takeClosing(draft: Draft, line: number, read: LineOf<'closing'>): void {
  if (draft.closing !== null) fault(draft, line, 'kind', `the closing is also in line ${draft.closing.at}`);
  else draft.closing = { ...read, at: line };
  const total = parseCredits(read.credits);
  if (total === null || total < 0n)
    fault(draft, line, 'credits', 'must be 0 or more, a decimal number with at most six decimals');
  instant(draft, line, 'closed_at', read.closed_at);
}

function takeLot(draft: Draft, line: number, read: LineOf<'lot'>): void {
  const { id, credits, granted_at, expires_at, priority, promotional } = read;
  requireFirst(draft, line, 'id', `lot ${id}`);
  draft.lots.push({
    line,
    id,
    credits: amount(draft, line, credits),
    grantedAt: instant(draft, line, 'granted_at', granted_at),
    expiresAt: instant(draft, line, 'expires_at', expires_at),
    priority: priority ?? PLAIN_TERMS.priority,
    promotional: promotional ?? PLAIN_TERMS.promotional,
  });
}

function takePaid(draft: Draft, line: number, read: LineOf<'paid'>): void {
  const { subject, agent_id: agentId, signal_setup_id: setupId } = read;
  if (agentId !== undefined && setupId !== undefined)
    fault(draft, line, 'signal_setup_id', 'cannot be combined with agent_id');
  if (!draft.isSubject(subject))
    fault(draft, line, 'subject', `is not a subject of this service: ${draft.forms}`);
  requireFirst(draft, line, 'subject', `paid ${agentId ?? ''}/${setupId ?? ''}/${subject}`);
  nameOnce(draft.agents, agentId, line);
  nameOnce(draft.setups, setupId, line);
  draft.paid.push({
    subject,
    ...(agentId === undefined ? {} : { agentId }),
    ...(setupId === undefined ? {} : { setupId }),
  });
}

function takeMonth(draft: Draft, line: number, read: LineOf<'paid_month'>): void {
  const { domain, handle, persona_id: personaId, until } = read;
  if ((domain === undefined) === (handle === undefined))
    return fault(draft, line, 'domain', 'either domain or handle names the company');
  const company = domain === undefined ? parseHandle(handle ?? '') : parseDomain(domain);
  if (company === null)
    return fault(draft, line, domain === undefined ? 'handle' : 'domain', 'names no company');
  const name = company.by === 'domain' ? { domain: company.domain } : { handle: company.handle };
  const subject = paidMonthSubject(name, personaId);
  requireFirst(draft, line, 'persona_id', `month ${subject}`);
  nameOnce(draft.personas, personaId, line);
  draft.paid.push({ subject, until: instant(draft, line, 'until', until) ?? '' });
}

function takeHold(draft: Draft, line: number, read: LineOf<'open_hold'>): void {
  const { id, credits, held_at, what = null } = read;
  requireFirst(draft, line, 'id', `hold ${id}`);
  const heldAt = instant(draft, line, 'held_at', held_at);
  const hold = { id, credits: amount(draft, line, credits), heldAt, what };
  draft.holds += 1;
  draft.held += hold.credits;
  if (draft.listed.length < MOST_LISTED) draft.listed.push(hold);
}

function takeHistory(draft: Draft, line: number, { at, credits }: LineOf<'history'>): void {
  if (parseCredits(credits) === null) fault(draft, line, 'credits', 'must be a decimal number');
  const moment = instant(draft, line, 'at', at);
  draft.movements += 1;
  if (moment === null) return;
  if (draft.from === null || moment < draft.from) draft.from = moment;
  if (draft.to === null || moment > draft.to) draft.to = moment;
}

function fault({ faults }: Draft, line: number, member: string, message: string): void {
  note(faults, [`line ${line}`, member].filter(Boolean).join(' '), message);
}

function amount(draft: Draft, line: number, text: number | string): Credits {
  const credits = parseCredits(text);
  if (credits !== null && credits > 0n) return credits;
  const shape = 'must be more than 0, a decimal number with at most six decimals, at most 1000000000';
  fault(draft, line, 'credits', shape);
  return 0n;
}

function instant(draft: Draft, line: number, member: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const read = parseInstant(text);
  if (read === null) fault(draft, line, member, 'must be a date or an RFC 3339 timestamp');
  return read === null ? null : read.at.toISOString();
}

function requireFirst(draft: Draft, line: number, member: string, key: string): void {
  const first = draft.seen.get(key);
  if (first === undefined) draft.seen.set(key, line);
  else fault(draft, line, member, `is also in line ${first}`);
}

function nameOnce(names: Map<number, number>, id: number | undefined, line: number): void {
  if (id !== undefined && !names.has(id)) names.set(id, line);
}
