/**
 * The ledger implemented again, as simply as possible: the oracle of the ledger's property tests. It shares no code
 * with libs/ledger/domain, so a rule that is wrong in one of them shows. Amounts are whole micro-credits; every
 * change moves an amount between two accounts, so their sum stays 0.
 */
export type ModelHold = {
  readonly id: number;
  readonly key: string;
  readonly amount: bigint;
  readonly product: string;
};
export type ModelCommand =
  | { readonly do: 'mode'; readonly mode: 'self' | 'exempt' | `partner:${number}` }
  | {
      readonly do: 'grant' | 'withdraw' | 'adjust';
      readonly id: number;
      readonly key: string | null;
      readonly amount: bigint;
    }
  | { readonly do: 'holdAll' | 'holdBatch' | 'charge'; readonly holds: readonly ModelHold[] }
  | { readonly do: 'settle'; readonly capture: readonly string[]; readonly release: readonly string[] }
  /** Releases those of the named that are still held, of before a time where one is named. */
  | { readonly do: 'sweep'; readonly keys: readonly string[]; readonly before?: string };
export type ModelMovement = ModelHold & {
  readonly payer: string;
  readonly heldAt: string;
  readonly status: 'held' | 'captured' | 'released';
};
export type ModelResult = 'done' | 'unpayable' | 'conflicting' | 'missing' | 'unprocessable';

const LIMIT = 1_000_000_000_000_000n;

export class LedgerModel {
  mode = 'self';
  readonly accounts = new Map<string, bigint>();
  readonly movements = new Map<string, ModelMovement>();
  /** The effects of the last command, one line each; empty for a refusal and for a command without a change. */
  effects: string[] = [];
  private readonly postings = new Map<string, { readonly do: string; readonly amount: bigint }>();
  private now = '';

  copy(): LedgerModel {
    const copy = new LedgerModel();
    copy.mode = this.mode;
    for (const [account, amount] of this.accounts) copy.accounts.set(account, amount);
    for (const [key, movement] of this.movements) copy.movements.set(key, movement);
    for (const [key, posting] of this.postings) copy.postings.set(key, posting);
    return copy;
  }

  of(account: string): bigint {
    return this.accounts.get(account) ?? 0n;
  }

  /** Executes a command completely or not at all; `now` is its recording time. */
  run(command: ModelCommand, now = ''): ModelResult {
    this.now = now;
    this.effects = [];
    switch (command.do) {
      case 'mode':
        if (this.mode !== command.mode) this.effects.push(`mode ${command.mode}`);
        this.mode = command.mode;
        return 'done';
      case 'grant':
      case 'withdraw':
      case 'adjust':
        return this.posting(command);
      case 'holdAll':
      case 'holdBatch':
      case 'charge':
        return this.hold(command);
      case 'settle':
        return this.settle(command.capture, command.release);
      case 'sweep':
        for (const key of command.keys) {
          const movement = this.movements.get(key);
          if (movement?.status !== 'held') continue;
          if (command.before === undefined || movement.heldAt < command.before) this.end(key, 'released');
        }
        return 'done';
    }
  }

  private move(from: string, to: string, amount: bigint): void {
    this.accounts.set(from, this.of(from) - amount);
    this.accounts.set(to, this.of(to) + amount);
  }

  private posting(wanted: Extract<ModelCommand, { amount: bigint }>): ModelResult {
    const scope = wanted.key === null ? null : `${wanted.do === 'adjust' ? 'adjust' : 'grant'}/${wanted.key}`;
    const earlier = scope === null ? undefined : this.postings.get(scope);
    if (earlier !== undefined) {
      return earlier.do === wanted.do && earlier.amount === wanted.amount ? 'done' : 'conflicting';
    }
    const change = wanted.do === 'withdraw' ? -wanted.amount : wanted.amount;
    if (this.of('available') + change < 0n) return 'unpayable';
    const granted = -this.of('granted') - this.of('withdrawn');
    if (wanted.do !== 'withdraw' && granted + change > LIMIT) return 'unprocessable';
    this.effects.push(`${wanted.do} ${wanted.id} ${wanted.key} ${wanted.amount}`);
    this.move(wanted.do === 'withdraw' ? 'withdrawn' : 'granted', 'available', change);
    if (scope !== null) this.postings.set(scope, wanted);
    return 'done';
  }

  private hold({ do: how, holds }: Extract<ModelCommand, { holds: readonly ModelHold[] }>): ModelResult {
    const made: ModelMovement[] = [];
    let free = this.of('available');
    let dry = false;
    const uses = new Map<string, ModelHold>(this.movements);
    for (const wanted of holds) {
      const used = uses.get(wanted.key);
      if (used !== undefined) {
        if (used.amount !== wanted.amount || used.product !== wanted.product) return 'conflicting';
        continue;
      }
      uses.set(wanted.key, wanted);
      if (this.mode === 'exempt' || wanted.amount === 0n) continue;
      if (this.mode === 'self') {
        dry ||= wanted.amount > free;
        if (dry) continue;
        free -= wanted.amount;
      }
      made.push({ ...wanted, payer: this.mode, heldAt: this.now, status: 'held' });
    }
    if (dry && how === 'holdAll') return 'unpayable';
    for (const movement of made) {
      this.movements.set(movement.key, movement);
      const { id, key, amount, product, payer } = movement;
      this.effects.push(`held ${id} ${key} ${amount} ${product} ${payer}`);
      if (movement.payer === 'self') this.move('available', 'held', movement.amount);
      else this.move(movement.payer, `${movement.payer} held`, movement.amount);
    }
    if (how === 'charge') {
      for (const { key } of holds) if (this.movements.get(key)?.status === 'held') this.end(key, 'captured');
    }
    return 'done';
  }

  private settle(captures: readonly string[], releases: readonly string[]): ModelResult {
    const endings = new Map<string, 'captured' | 'released'>();
    const wanted = [
      ...captures.map((key) => [key, 'captured'] as const),
      ...releases.map((key) => [key, 'released'] as const),
    ];
    for (const [key, status] of wanted) {
      const movement = this.movements.get(key);
      if (movement === undefined) return 'missing';
      const now = endings.get(key) ?? movement.status;
      if (now !== 'held' && now !== status) return 'conflicting';
      endings.set(key, status);
    }
    for (const [key, status] of endings)
      if (this.movements.get(key)?.status === 'held') this.end(key, status);
    return 'done';
  }

  private end(key: string, status: 'captured' | 'released'): void {
    const movement = this.movements.get(key);
    if (movement === undefined) return;
    this.movements.set(key, { ...movement, status });
    this.effects.push(`${status} ${movement.id} ${key}`);
    const own = movement.payer === 'self';
    const back = own ? 'available' : movement.payer;
    const spent = own ? 'consumed' : `${movement.payer} consumed`;
    this.move(own ? 'held' : `${movement.payer} held`, status === 'captured' ? spent : back, movement.amount);
  }
}
