import type pg from 'pg';

/** A minimal interface for holds, captures and releases with a balance check on either side. */
export type BenchedLedger = {
  readonly open: (workspaceId: number, credits: bigint) => Promise<void>;
  /** Id of the movement; null when the balance does not cover it. */
  readonly hold: (workspaceId: number, key: string, credits: bigint) => Promise<number | null>;
  readonly end: (workspaceId: number, movementId: number, how: 'captured' | 'released') => Promise<boolean>;
  readonly sums: (workspaceId: number) => Promise<LedgerSums>;
};
export type LedgerSums = { readonly available: bigint; readonly held: bigint; readonly captured: bigint };

// The balance is one row per workspace, as fast as PostgreSQL can check it: no sum over the movements, and its own
// CHECK behind the condition. A used key violates the unique index.
const SCHEMA = `
  CREATE TABLE accounts (
    workspace_id integer PRIMARY KEY,
    granted bigint NOT NULL,
    held bigint NOT NULL DEFAULT 0,
    captured bigint NOT NULL DEFAULT 0,
    CHECK (granted - held - captured >= 0 AND held >= 0)
  );
  CREATE TABLE movements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id integer NOT NULL,
    key text NOT NULL,
    credits bigint NOT NULL,
    product text NOT NULL,
    status text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (workspace_id, key)
  )`;

const HOLD = {
  name: 'hold',
  text: `
    WITH account AS (
      UPDATE accounts SET held = held + $3
      WHERE workspace_id = $1 AND granted - held - captured >= $3
      RETURNING workspace_id
    )
    INSERT INTO movements (workspace_id, key, credits, product, status)
    SELECT workspace_id, $2, $3, 'bench', 'held' FROM account
    RETURNING id`,
};

const END = {
  name: 'end',
  text: `
    WITH movement AS (
      UPDATE movements SET status = $3
      WHERE id = $2 AND workspace_id = $1 AND status = 'held'
      RETURNING credits
    )
    UPDATE accounts
    SET held = held - credits, captured = captured + CASE WHEN $3 = 'captured' THEN credits ELSE 0 END
    FROM movement WHERE workspace_id = $1
    RETURNING workspace_id`,
};

/** A ledger in PostgreSQL with one statement per command. */
export async function postgresLedger(pool: pg.Pool): Promise<BenchedLedger> {
  await pool.query(`DROP TABLE IF EXISTS accounts, movements; ${SCHEMA}`);
  return {
    async open(workspaceId, credits) {
      await pool.query('INSERT INTO accounts (workspace_id, granted) VALUES ($1, $2)', [
        workspaceId,
        credits,
      ]);
    },
    async hold(workspaceId, key, credits) {
      const { rows } = await pool.query<{ id: string }>({ ...HOLD, values: [workspaceId, key, credits] });
      return rows[0] === undefined ? null : Number(rows[0].id);
    },
    async end(workspaceId, movementId, how) {
      return (await pool.query({ ...END, values: [workspaceId, movementId, how] })).rowCount === 1;
    },
    async sums(workspaceId) {
      const { rows } = await pool.query<{ granted: string; held: string; captured: string; spent: string }>(
        `SELECT granted, held, captured,
           (SELECT coalesce(sum(credits), 0) FROM movements
            WHERE movements.workspace_id = accounts.workspace_id AND status = 'captured') AS spent
         FROM accounts WHERE workspace_id = $1`,
        [workspaceId],
      );
      const [row] = rows;
      if (row === undefined || row.spent !== row.captured) throw new Error('rows and balance disagree');
      const [granted, held, captured] = [BigInt(row.granted), BigInt(row.held), BigInt(row.captured)];
      return { available: granted - held - captured, held, captured };
    },
  };
}
