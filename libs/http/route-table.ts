import { methodNotAllowed, notFound, pathOf, type ProblemRequest, type RequestRefused } from './problem.js';

/** The existing routes, for requests that matched none: 404, or 405 with the allowed methods. */
export class RouteTable {
  private readonly methodsByPath = new Map<string, Set<string>>();
  /** The successors of deprecated paths. */
  private readonly successors = new Map<string, string>();
  /** Of the longest path: a longer request has none of its own. */
  private mostSegments = 0;
  /** By path, the segments of the paths that have a name in the place of one of its parameters. Null: to be determined. */
  private named: ReadonlyMap<string, readonly (readonly string[])[]> | null = null;

  add(method: string, path: string, successor: string | null): void {
    const methods = this.methodsByPath.get(path) ?? new Set();
    this.methodsByPath.set(path, methods.add(method));
    if (successor !== null) this.successors.set(path, successor);
    this.mostSegments = Math.max(this.mostSegments, segmentsOf(path).length);
    this.named = null;
  }

  /**
   * The successor of a path that has no handler for the method, and its parameters as requested: of the path itself if it
   * is deprecated, or of the longest part of it that is a path. Null: that one is not deprecated.
   */
  successorOf(url: string): { readonly successor: string; readonly params: object } | null {
    const segments = segmentsOf(pathOf(url));
    const longest = Math.min(segments.length, this.mostSegments);
    const parts = Array.from({ length: longest }, (_, index) => segments.slice(0, longest - index));
    const known = parts.map((part) => this.closest(part)).find((paths) => paths.length > 0) ?? [];
    const path = known.find((each) => this.successors.has(each)) ?? '';
    const successor = this.successors.get(path);
    if (successor === undefined) return null;
    const named = segmentsOf(path).map((part, index) => [part.slice(1), segments[index]]);
    return { successor, params: Object.fromEntries(named) };
  }

  /**
   * Whether the router, which knows the paths of one method only, took the name in another path for a parameter of
   * this one: `GET /signals/query` for the signal `query`.
   */
  isMistaken(url: string, routed: string): boolean {
    this.named ??= new Map([...this.methodsByPath.keys()].map((path) => [path, this.namedLike(path)]));
    const others = this.named.get(routed) ?? [];
    if (others.length === 0) return false;
    const segments = segmentsOf(pathOf(url));
    return others.some((other) => matches(other, segments));
  }

  private namedLike(path: string): readonly (readonly string[])[] {
    const segments = segmentsOf(path);
    return [...this.methodsByPath.keys()]
      .filter((other) => parametersIn(other) < parametersIn(path))
      .map(segmentsOf)
      .filter((other) => matches(segments, other));
  }

  /** The paths that match with the fewest parameters. */
  private closest(segments: readonly string[]): readonly string[] {
    const matching = [...this.methodsByPath.keys()].filter((path) => matches(segmentsOf(path), segments));
    const fewest = Math.min(...matching.map(parametersIn));
    return matching.filter((path) => parametersIn(path) === fewest);
  }

  /** Why this request has no handler. */
  unroutable({ url, method }: ProblemRequest): RequestRefused {
    const allowed = new Set<string>();
    for (const path of this.closest(segmentsOf(pathOf(url)))) {
      for (const each of this.methodsByPath.get(path) ?? []) allowed.add(each);
    }
    return allowed.size === 0 || allowed.has(method)
      ? notFound('There is nothing at this path.')
      : methodNotAllowed([...allowed].sort());
  }
}

/** Segments of a path, percent-decoded like the router; a trailing slash is ignored. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/').map(decoded);
}

const parametersIn = (path: string): number =>
  segmentsOf(path).filter((segment) => segment.startsWith(':')).length;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
