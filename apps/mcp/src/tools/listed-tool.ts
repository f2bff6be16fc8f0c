import { Nullable, Type } from '#kernel/values/schema.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import type { Dispatch, DispatchCall } from '#http/dispatch.js';
import type { Tool } from './tool.js';

const TEMPLATES = 'GET /api/v3/signal-templates';

/** The `_meta` key of a tool's price, for programs. */
const PRICE = 'signal-ledger/price';

const isTemplates = guardOf(
  Type.Object({
    data: Type.Array(
      Type.Object({
        pricing: Type.Object({ discovery: Nullable(Type.Object({ credits: Type.Number() })) }),
      }),
    ),
  }),
);

/** The prices of a signal for this workspace, ascending; empty if they cannot be read now. */
export async function pricesOfSignals(dispatch: Dispatch, call: DispatchCall): Promise<readonly number[]> {
  const sent = await dispatch.send(TEMPLATES, { query: { page_size: '100' } }, call);
  if (sent.kind === 'problem' || !isTemplates(sent.data)) return [];
  const prices = sent.data.data.flatMap(({ pricing }) => pricing.discovery?.credits ?? []);
  return [...new Set(prices)].sort((left, right) => left - right);
}

/** A tool in the list, with its price in words and in `_meta`. */
export function listedTool(
  { name, title, description, price, hints, input, output }: Tool,
  prices: readonly number[],
) {
  const isFree = price === 'free';
  return {
    name,
    title,
    description: `${description} ${isFree ? 'Free.' : pricesInWords(prices)}`,
    inputSchema: { ...input, type: 'object' as const },
    outputSchema: { ...output, type: 'object' as const },
    annotations: { title, ...hints },
    _meta: { [PRICE]: isFree ? { free: true, credits: 0 } : { free: false, per: 'signal', credits: prices } },
  };
}

function pricesInWords(prices: readonly number[]): string {
  const amounts =
    prices.length === 0
      ? 'What its template costs'
      : `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(prices.map(String))} credits`;
  return `Price: ${amounts} for each priced signal that is found; quote_run shows which and how many.`;
}
