import type { FastifyRequest } from 'fastify';
import { countedAddress } from './client-addresses.js';
import { THE_PUBLIC, type AdmittedCallers, type Caller } from './callers.js';
import { writes, type DeclaredEndpoint } from './endpoint.js';
import type { Feature } from './endpoint-spec.js';
import { idempotencyKeyOf, takesIdempotencyKey } from './idempotency.js';
import { mountedRoute } from './mounted-route.js';
import { keyReadsOnly, tooManyRequests, unauthorized } from './problem.js';
import { isLimited, type TakeToken } from './rate-limit.js';
import type { RouteTable } from './route-table.js';

/** One bucket per API key, and one per remote address for all other callers. */
export type RateLimits = { readonly ofKeys: TakeToken; readonly ofAddresses: TakeToken };

export type AdmissionRules = {
  readonly callers: AdmittedCallers;
  /** An unknown caller gets no information about routes: 401 comes before 404 and 405. */
  readonly hidesRoutes: boolean;
  /** null: no limit. */
  readonly rateLimits: RateLimits | null;
  /** Whether this listener handles Idempotency-Keys. */
  readonly readsIdempotencyKeys: boolean;
  readonly routes: RouteTable;
  /** Rejects with the refusal if the workspace does not have this feature. */
  readonly requireFeature: (workspaceId: number, feature: Feature) => Promise<void>;
};

type Done = (error?: Error) => void;

export type Admission = {
  /**
   * Checks the route (404, 405), then the caller (401), the rate limit (429), whether the key may write (403), the
   * syntax of an Idempotency-Key (400) and the feature (403). Calls back without a promise if the caller is known:
   * nearly every request takes this path.
   */
  readonly admit: (request: FastifyRequest, done: Done) => void;
  /** The same for a path that matches no route because it is malformed; `refusal` says what is wrong with it. */
  readonly admitUnroutable: (request: FastifyRequest, refusal: Error, done: Done) => void;
};

/** A read-only key may call reading endpoints only (AUTH-10). */
export function refusalOfReader(declared: DeclaredEndpoint, caller: Caller | null): Error | undefined {
  if (caller?.kind !== 'apiKey' || caller.isReadOnly !== true || !writes(declared)) return undefined;
  return keyReadsOnly();
}

/** Decides which requests a listener admits, in the order of OP-01. */
export function createAdmission(rules: AdmissionRules): Admission {
  const { callers, hidesRoutes, rateLimits, readsIdempotencyKeys, routes, requireFeature } = rules;

  /** Sets the caller of the request; returns the refusal, if any. */
  function judge(request: FastifyRequest, caller: Caller | null, needs: string): Error | undefined {
    request.caller = caller;
    if (rateLimits !== null) {
      const { ofKeys, ofAddresses } = rateLimits;
      const standing =
        caller?.kind === 'apiKey' ? ofKeys(caller.keyId) : ofAddresses(countedAddress(request.ip));
      request.rateLimit = standing;
      if (standing.retryAfterSeconds !== null) return tooManyRequests(standing.retryAfterSeconds);
    }
    return caller === null ? unauthorized(needs) : undefined;
  }

  /** An authenticated caller may see what is wrong; an unknown caller may not. */
  async function judgeAny(request: FastifyRequest): Promise<Error | undefined> {
    const wanted: string[] = [];
    for (const { authenticate, needs } of Object.values(callers)) {
      const caller = await authenticate(request.headers.authorization);
      if (caller !== null) return judge(request, caller, needs);
      wanted.push(needs);
    }
    return judge(request, null, wanted.join(' '));
  }

  function readKey(request: FastifyRequest, declared: DeclaredEndpoint, done: Done): void {
    if (!readsIdempotencyKeys || !takesIdempotencyKey(declared)) {
      done();
      return;
    }
    try {
      request.idempotencyKey = idempotencyKeyOf(request.headers['idempotency-key']);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function admitUnroutable(request: FastifyRequest, refusal: Error, done: Done): void {
    judgeAny(request).then((unknown) => done(unknown ?? refusal), done);
  }

  return {
    admitUnroutable,
    admit: (request, done) => {
      const mounted = mountedRoute(request);
      const url = request.raw.url ?? '/';
      if (mounted === null || routes.isMistaken(url, mounted.path)) {
        const refusal = routes.unroutable({ method: request.method, url });
        if (hidesRoutes) admitUnroutable(request, refusal, done);
        else done(refusal);
        return;
      }
      const { declared } = mounted.compiled;
      const { caller: kind, feature } = declared;
      if (kind === 'public') {
        if (isLimited(declared)) done(judge(request, THE_PUBLIC, ''));
        else {
          request.caller = THE_PUBLIC;
          done();
        }
        return;
      }
      const authentication = callers[kind];
      if (authentication === undefined) {
        done(new Error(`${declared.method} ${request.url}: this listener lets no ${kind} in`));
        return;
      }
      const { authenticate, needs } = authentication;
      const accept = (caller: Caller | null): void => {
        const refusal = judge(request, caller, needs) ?? refusalOfReader(declared, caller);
        if (refusal !== undefined) done(refusal);
        else if (feature === undefined || caller?.kind !== 'apiKey') readKey(request, declared, done);
        else {
          const { workspaceId } = caller;
          const askFeature = (): void => {
            requireFeature(workspaceId, feature).then(() => done(), done);
          };
          readKey(request, declared, (fault) => (fault === undefined ? askFeature() : done(fault)));
        }
      };
      const caller = authenticate(request.headers.authorization);
      if (caller instanceof Promise) caller.then(accept, done);
      else accept(caller);
    },
  };
}
