import { normalized } from './normalized-text.js';

/** Identifiers of people and companies on the network, parsed and written by the rules of OP-10. */
export type NetworkEntity = 'company' | 'person';

export type HandleIdentifier = {
  readonly by: 'handle';
  readonly handle: string;
  /** The kind from the path of the URL; null for a bare handle. */
  readonly entity: NetworkEntity | null;
};
export type DomainIdentifier = { readonly by: 'domain'; readonly domain: string };
export type NetworkIdentifier = HandleIdentifier | DomainIdentifier;

const ENTITY_OF_SEGMENT: ReadonlyMap<string, NetworkEntity> = new Map([
  ['in', 'person'],
  ['pub', 'person'],
  ['people', 'person'],
  ['person', 'person'],
  ['profile', 'person'],
  ['company', 'company'],
  ['companies', 'company'],
  ['school', 'company'],
  ['showcase', 'company'],
  ['organization', 'company'],
]);

/**
 * A path segment that is no handle: blank characters, slashes, control characters, halves of surrogate pairs, and
 * invisible characters (zero-width, marks of direction), which would make two handles look the same.
 */
const NOT_IN_HANDLE = /[\s/\\\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_HANDLE_LENGTH = 200;
const MAX_DOMAIN_LENGTH = 253;
/** Normalization makes a text at most this many times shorter: four characters become `ᾂ`. */
const SHORTER_BY = 4;

/**
 * A network URL of any host; null when it is no page of a person or company. Without `//` the host needs the form of a
 * domain: else the first segment of any path would be a host.
 */
export function parseNetworkUrl(text: string): HandleIdentifier | null {
  const match = /^(?:https?:)?(?<slashes>\/\/)?(?<host>[^/?#]+)\/+(?<path>[^?#]*)/i.exec(text);
  const { slashes, host = '' } = match?.groups ?? {};
  if (slashes === undefined ? parseHost(host) === null : !isHost(host)) return null;
  const [kind = '', encoded = ''] = (match?.groups?.['path'] ?? '').split(/\/+/);
  const entity = ENTITY_OF_SEGMENT.get(kind.toLowerCase());
  const handle = normalHandle(percentDecoded(encoded));
  return entity === undefined || handle === null ? null : { by: 'handle', handle, entity };
}

/** A handle, with or without a leading `@`; a URL in its place is read as one. Null otherwise. */
export function parseHandle(text: string): HandleIdentifier | null {
  if (text.includes('/')) return parseNetworkUrl(text);
  const handle = normalHandle(text);
  return handle === null ? null : { by: 'handle', handle, entity: null };
}

/** A domain, given as such or inside a URL: lower case, IDNA, without `www.`, path and port. Null otherwise. */
export function parseDomain(text: string): DomainIdentifier | null {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/)?(?<host>[^/?#]+)/i.exec(text);
  const domain = parseHost(match?.groups?.['host'] ?? '')?.replace(/^www\.(?=.+\.)/, '') ?? null;
  return domain === null ? null : { by: 'domain', domain };
}

/** The canonical page of a person or company on the network. */
export function networkUrl(baseUrl: string, entity: NetworkEntity, handle: string): string {
  const segment = entity === 'person' ? 'in' : 'company';
  return `${baseUrl.replace(/\/+$/, '')}/${segment}/${encodeURIComponent(handle)}`;
}

/** Without a leading `@`, so that the handle of an answer, a handle with `@` and the same in a URL name one page. */
function normalHandle(text: string | null): string | null {
  const bare = text?.replace(/^@+/, '') ?? '';
  // Too long in any form; normalization takes far longer than this look.
  if (bare.length > SHORTER_BY * MAX_HANDLE_LENGTH) return null;
  const handle = normalized(bare, 'NFC').toLowerCase();
  if (handle === '' || handle.length > MAX_HANDLE_LENGTH || NOT_IN_HANDLE.test(handle)) return null;
  // As segments of a path they lead to another page, also if they are encoded.
  return handle === '.' || handle === '..' ? null : handle;
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Whether a URL may have this host: a name of any form or an address, with or without port, and no user. */
const isHost = (text: string): boolean => !/[@\s\\]/.test(text) && asciiHost(text) !== null;

/** The host in its ASCII form, without port; null when it breaks the host grammar or is an address. */
function parseHost(text: string): string | null {
  const host = /^(?<name>[^:@\s%\\[\]]+)(?::\d{1,5})?$/.exec(text)?.groups?.['name'];
  if (host === undefined || host.length > SHORTER_BY * MAX_DOMAIN_LENGTH) return null;
  const ascii = asciiHost(host)?.replace(/\.$/, '') ?? '';
  const labels = ascii.split('.');
  const named =
    ascii.length <= MAX_DOMAIN_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return named && !/^\d+$/.test(labels.at(-1) ?? '') ? ascii : null;
}

function asciiHost(host: string): string | null {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return null;
  }
}
