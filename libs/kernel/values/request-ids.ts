const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Whether a text is the id of a request (OP-06). Background work that no request caused is named with a colon, so it is
 * no such id.
 */
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);
