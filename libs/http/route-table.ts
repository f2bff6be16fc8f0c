import { methodNotAllowed, notFound, pathOf, type ProblemRequest, type RequestRefused } from './problem.js';

/** The existing routes, for requests that matched none: 404, or 405 with the allowed methods. */
export class RouteTable {
  private readonly methodsByPath = new Map<string, Set<string>>();

  add(method: string, path: string): void {
    const methods = this.methodsByPath.get(path) ?? new Set();
    this.methodsByPath.set(path, methods.add(method));
  }

  /** Why this request has no handler. */
  unroutable({ url, method }: ProblemRequest): RequestRefused {
    const segments = segmentsOf(pathOf(url));
    const allowed = new Set<string>();
    for (const [path, methods] of this.methodsByPath) {
      if (matches(segmentsOf(path), segments)) for (const each of methods) allowed.add(each);
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
