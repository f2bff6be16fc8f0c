import { claimAll, optionsFor, type ContextOf } from './claim-all.js';
import type { ClaimHost } from './claim-host.js';
import { captureContent, contentIdentity } from './domain/contents/content.js';
import type { ContentEvents } from './domain/contents/content.events.js';
import { identityStream } from './identity-stream.js';

/** An observed content; without facts it gets an id only if the workspace already has it. */
type SeenContent = Pick<ContentEvents['ContentCaptured'], 'ref' | 'type'> & {
  readonly facts: ContentEvents['ContentCaptured']['facts'] | null;
};

type ClaimedContent = {
  readonly content: SeenContent;
  readonly leadId: number | null;
  readonly companyId: number | null;
};

const idOfContent = ({ contentId }: { readonly contentId: number | null }): number | null => contentId;

/** The part of `identityClaims` for contents. */
export function contentClaims(host: ClaimHost, workspaceId: number, contextOf: ContextOf) {
  const optionsOf = optionsFor(contextOf);

  const streamOfContent = ({ content: { ref } }: ClaimedContent): string => identityStream(workspaceId, ref);

  const lookUpContents = (contents: readonly ClaimedContent[]) => {
    const ids = contents.map(streamOfContent);
    const captured = ids.filter((_, index) => contents[index]?.content.facts !== null);
    // Nearly every content is new in its workspace.
    const presumed = { ids: new Set(captured), sample: 0 };
    return host.commands.loadEach(contentIdentity, ids, idOfContent, presumed);
  };
  const isNewContent = ({ content }: ClaimedContent, contentId: number | null): boolean =>
    contentId === null && content.facts !== null;

  /**
   * The ids of contents in the workspace, in their order; new contents get ids in this order too. Null for a content that
   * was not captured before and has no facts.
   */
  const claimContents = (contents: readonly ClaimedContent[]): Promise<readonly (number | null)[]> =>
    claimAll(host.ids, 'content', contents, lookUpContents, isNewContent, async (wanted, known, takeId) => {
      const { leadId, companyId } = wanted;
      const { ref, type, facts } = wanted.content;
      if (known !== null || facts === null) return known;
      const contentId = takeId();
      const capture = captureContent({ contentId, ref, type, facts, leadId, companyId });
      const options = { ...optionsOf('content', ref), answer: idOfContent };
      const claimed = await host.commands.handle(contentIdentity, streamOfContent(wanted), capture, options);
      return claimed.answer ?? contentId;
    });

  return { claimContents };
}
