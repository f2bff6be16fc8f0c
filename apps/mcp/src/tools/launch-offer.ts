import { formatCredits, parseCredits, type Credits } from '#kernel/values/credits.js';
import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import type { Dispatch, DispatchCall, SentProblem } from '#http/dispatch.js';

const QUOTE = 'POST /api/v2/workspace/signal-runs/quote';

const Amount = Type.Number();
const Quote = Type.Object({
  quote_id: Type.String(),
  new: Type.Integer(),
  priced: Type.Integer(),
  unit_price: Amount,
  credits_needed: Nullable(Amount),
  credits_at_most: Amount,
  limited_by: Nullable(Type.String()),
  balance: Type.Object({ now: Amount }),
});
const isQuote = guardOf(Quote);

/** The launch that a person is asked to confirm. */
export type LaunchOffer = {
  readonly kind: 'offer';
  readonly message: string;
  /** What a yes means, in a few words. */
  readonly yes: string;
  /** The quote of the launch; null: only `max_credits` limits it. */
  readonly quoteId: string | null;
};

/** The quote of a launch in words. A quote that the caller names is used as it is. */
export async function offerLaunch(
  dispatch: Dispatch,
  { quote_id: named, ...body }: JsonObject,
  call: DispatchCall,
): Promise<LaunchOffer | SentProblem> {
  const what = launched(body);
  const limit = shown(body['max_credits']);
  if (typeof named === 'string')
    return offerOf(`Launch a run of ${what} with an earlier quote?`, limit, named);
  const sent = await dispatch.send(QUOTE, { body }, call);
  if (sent.kind === 'problem') return sent;
  if (!isQuote(sent.data)) throw new Error(`${QUOTE} answers something else than it declares`);
  const quote = sent.data;
  const atMost = isGood(quote) ? exact(quote.credits_at_most) : limit;
  const message =
    `Launch a run of ${what}? It spends at most ${atMost} of ${exact(quote.balance.now)} credits: ` +
    `${quote.new} new signals, ${quote.priced} of them at ${exact(quote.unit_price)} credits each.`;
  return offerOf(message, atMost, isGood(quote) ? quote.quote_id : null);
}

const offerOf = (message: string, atMost: string, quoteId: string | null): LaunchOffer => ({
  kind: 'offer',
  message,
  yes: `Launch, and spend at most ${atMost} credits`,
  quoteId,
});

const launched = ({ agent_id: agent, signal_setup_id: setup }: JsonObject): string =>
  agent === undefined ? `signal setup ${shown(setup)}` : `agent ${shown(agent)}`;

const shown = (value: JsonValue | undefined): string => JSON.stringify(value ?? null).slice(0, 40);

/** A launch with a quote below one price is refused: if nothing priced is found now, `max_credits` limits it. */
const isGood = ({
  unit_price: price,
  credits_at_most: most,
  credits_needed: needed,
  limited_by: limit,
}: Static<typeof Quote>): boolean => price === 0 || most >= price || (limit === null && needed !== 0);

const exact = (amount: number): string => formatCredits(exactCredits(amount));

/** An exact amount of an answer. Throws if it is none. */
export function exactCredits(amount: number): Credits {
  const credits = parseCredits(amount);
  if (credits === null) throw new Error(`${amount} is no amount of credits`);
  return credits;
}
