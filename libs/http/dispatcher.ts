import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { refusalOfReader } from './admission.js';
import {
  compileEndpoint,
  prepareRequest,
  type CompiledEndpoint,
  type RawRequest,
} from './compiled-endpoint.js';
import { describeEndpoint, type DescribedEndpoint } from './described-endpoint.js';
import type { Dispatch, DispatchCall, MessageArguments, Once, SentMessage, SentProblem } from './dispatch.js';
import type { MadeEndpoint } from './endpoint.js';
import type { Feature, Route } from './endpoint-spec.js';
import {
  isKept,
  stillRunning,
  tooManyKeys,
  type ClaimedRequest,
  type KeptAnswer,
  type KeptAnswers,
  type RequestClaims,
} from './idempotency.js';
import { ignoredFieldsReader } from './ignored-fields.js';
import type { Logger } from './log.js';
import { problemDocument, problemOf, slugOf } from './problem.js';
import type { Reference } from './reference.js';
import { Reply } from './reply.js';
import { LONGEST_WAIT, type Waiting } from './waiting.js';

/** The dispatch with the functions for its host. */
export type Dispatcher = Dispatch & {
  /** Sets the endpoints whose messages it sends. */
  readonly serve: (endpoints: readonly MadeEndpoint[], waiting: Waiting) => void;
  /** Ends all waits. */
  readonly end: () => void;
};

type DispatcherParts = {
  readonly claims: RequestClaims;
  readonly kept: KeptAnswers;
  readonly requireFeature: (workspaceId: number, feature: Feature) => Promise<void>;
  readonly reference: Reference;
  readonly docsUrl: string;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
};

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { requireFeature } = parts;
  const messages = sentMessages(parts.reference);
  const problemFor = problemReporter(parts);
  let waiting: Waiting | null = null;
  let isOpen = true;

  async function requireAllowed(route: Route, { caller }: DispatchCall): Promise<void> {
    const { declared } = messages.servedAt(route).compiled;
    const refusal = refusalOfReader(declared, caller);
    if (refusal !== undefined) throw refusal;
    if (declared.feature !== undefined) await requireFeature(caller.workspaceId, declared.feature);
  }

  /** Converts a rejection into the problem that it is answered as. */
  const asProblem: AsProblem = async (call, work) => {
    try {
      return await work();
    } catch (error) {
      return problemFor(error, call);
    }
  };

  const send: Dispatch['send'] = (route, given, call) =>
    asProblem(call, async () => {
      await requireAllowed(route, call);
      return answered(await messages.carryOut(route, given, call, null));
    });

  const once = onceForKeys(parts, messages, asProblem);
  return {
    problemFor,
    send,
    describe: (route) => messages.servedAt(route).described,
    sendOnce: (route, given, call, key) =>
      asProblem(call, async () => {
        await requireAllowed(route, call);
        return once.carryOut(route, given, call, key);
      }),
    repeated: (call, key) => asProblem(call, () => once.repeated(call, key)),
    sendUntilOver: async (route, given, call, seconds) => {
      const { isRunning } = messages.servedAt(route).compiled.declared;
      if (isRunning === undefined) throw new Error(`${route} is not polled`);
      const first = await send(route, given, call);
      if (waiting === null || seconds <= 0) return first;
      const later = await waiting.laterAnswer(
        {
          again: () => send(route, given, call),
          isRunning: (sent) => sent.kind === 'answer' && isRunning(sent.data),
        },
        first,
        {
          keyId: call.caller.keyId,
          seconds: Math.min(seconds, LONGEST_WAIT),
          gone: new AbortController().signal,
          isOpen: () => isOpen,
        },
      );
      return later === null ? first : later.answer;
    },
    serve: (made, itsWaiting) => {
      waiting = itsWaiting;
      messages.serve(made);
    },
    end: () => {
      isOpen = false;
    },
  };
}

type AsProblem = <Sent extends SentMessage | null>(
  call: DispatchCall,
  work: () => Promise<Sent>,
) => Promise<Sent | SentProblem>;

const answered = (data: unknown): SentMessage => ({ kind: 'answer', data, replayed: false });

type Served = Pick<MadeEndpoint, 'handle'> & {
  readonly compiled: CompiledEndpoint;
  readonly described: DescribedEndpoint;
  readonly ignoredIn: ReturnType<typeof ignoredFieldsReader>;
};

/** The messages of endpoints for API keys. */
function sentMessages(reference: Reference) {
  const endpoints = new Map<string, MadeEndpoint>();
  const served = new Map<string, Served>();

  /** Only requested endpoints are compiled a second time. */
  function servedAt(route: Route): Served {
    const known = served.get(route);
    if (known !== undefined) return known;
    const endpoint = endpoints.get(route);
    if (endpoint === undefined) throw new Error(`no message is sent for ${route}`);
    const { declared, handle } = endpoint;
    const made = {
      handle,
      compiled: compileEndpoint(declared),
      described: describeEndpoint(declared, reference),
      ignoredIn: ignoredFieldsReader(declared),
    };
    served.set(route, made);
    return made;
  }

  return {
    servedAt,
    /** Rejects with errors that HTTP would answer as problems. */
    carryOut: async (
      route: Route,
      { params = {}, query = {}, body = {} }: MessageArguments,
      { caller, requestId, traceparent }: DispatchCall,
      claim: ClaimedRequest | null,
    ): Promise<unknown> => {
      const { compiled, handle, ignoredIn } = servedAt(route);
      const takesBody = compiled.declared.body !== undefined;
      const refusal = ignoredIn(query, takesBody ? body : undefined).refusal();
      if (refusal !== null) throw refusal;
      const raw: RawRequest = {
        requestId,
        params,
        query,
        body: takesBody ? { value: body, escapes: true } : undefined,
        traceparent,
        claim,
        accept: '',
        lastEventId: undefined,
        browser: { isHead: false, cookie: '', origin: null, host: '', address: '', isEncrypted: false },
        headers: {},
      };
      const answer = await handle(prepareRequest(compiled, raw, caller));
      return answer instanceof Reply ? answer.data : answer;
    },
    serve: (made: readonly MadeEndpoint[]): void => {
      for (const endpoint of made) {
        const { caller, method, paths } = endpoint.declared;
        if (caller !== 'apiKey') continue;
        for (const path of paths) endpoints.set(`${method} ${path}`, endpoint);
      }
    },
  };
}

function problemReporter({ docsUrl, logger }: DispatcherParts): Dispatch['problemFor'] {
  return (error, { requestId, url }) => {
    const problem = problemOf(error);
    if (problem.status === 500) logger.error({ requestId, err: error }, 'the request failed');
    else if (problem.status > 500) logger.warn({ requestId, reason: String(error) }, 'the request failed');
    const document = parsed(problemDocument(problem, { method: 'POST', url }, docsUrl));
    const retryAfter = problem.headers?.['Retry-After'];
    const later = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) };
    return { kind: 'problem', slug: slugOf(problem), document: { ...document, ...later }, replayed: false };
  };
}

function parsed(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

/** Executes messages once for an idempotency key, with the stored answers of the header of that name. */
function onceForKeys(
  { claims, kept, logger }: DispatcherParts,
  messages: ReturnType<typeof sentMessages>,
  asProblem: AsProblem,
) {
  const keyed = ({ caller, requestId }: DispatchCall, { key, requestHash }: Once) => ({
    workspaceId: caller.workspaceId,
    apiKeyId: caller.keyId,
    requestId,
    key,
    requestHash,
  });

  /** A completed effect is answered as such, whether or not its answer could be stored. */
  async function keep(claimed: ClaimedRequest, sent: SentMessage, requestId: string): Promise<void> {
    const status = sent.kind === 'answer' ? 200 : Number(sent.document['status']);
    const body = sent.kind === 'answer' ? sent.data : sent.document;
    try {
      if (isKept(status)) await claimed.keep({ status, headers: {}, body: JSON.stringify(body ?? null) });
      else await claimed.release();
    } catch (error) {
      logger.warn({ err: error, requestId }, 'the response to a keyed request was not stored');
    }
  }

  function replayed({ status, body }: KeptAnswer): SentMessage {
    if (status < 400) return { kind: 'answer', data: JSON.parse(body), replayed: true };
    const document = parsed(body);
    const slug = String(document['type']).replace(/^.*\//, '');
    return { kind: 'problem', slug, document, replayed: true };
  }

  return {
    carryOut: async (
      route: Route,
      given: MessageArguments,
      call: DispatchCall,
      once: Once,
    ): Promise<SentMessage> => {
      if (messages.servedAt(route).compiled.declared.shownOnce !== undefined)
        throw new Error(`${route} answers what is shown once: it is not kept here`);
      const claimed = await claims(keyed(call, once));
      switch (claimed.kind) {
        case 'answered':
          return replayed(claimed.answer);
        case 'running':
          throw stillRunning();
        case 'full':
          throw tooManyKeys(claimed.retryAfterSeconds);
        case 'claimed': {
          const sent = await asProblem(call, () =>
            claimed.within(async () => answered(await messages.carryOut(route, given, call, claimed))),
          );
          await keep(claimed, sent, call.requestId);
          return sent;
        }
      }
    },
    repeated: async (call: DispatchCall, once: Once): Promise<SentMessage | null> => {
      const answer = await kept(keyed(call, once));
      return answer === null ? null : replayed(answer);
    },
  };
}
