/** The access of a read-only link, and its end. */
export type LinkAccess = {
  readonly linkId: string;
  readonly label: string;
  readonly workspaceId: number;
  readonly expiresAt: string;
};

/** Where read-only links are opened and their sessions are known. Rejects with `StoreUnavailable`. */
export interface LinkDirectory {
  /**
   * Exchanges the token of a link, once, for a session: its secret is the value of a cookie. Throws the reason if it cannot be
   * opened.
   */
  open(
    token: string,
    correlationId: string,
  ): Promise<{ readonly secret: string; readonly access: LinkAccess }>;
  /** The access of a session; null if the session is unknown, or if the link has expired or was withdrawn. */
  find(secret: string): Promise<LinkAccess | null>;
}

const TOKEN = /^link_[0-9A-Za-z]{43}$/;

/** Whether a text has the form of the token of a link. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text);
