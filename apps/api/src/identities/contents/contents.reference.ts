import type { ReferencePart } from '#http/reference.js';

/** Posts, comments and job postings, and their authors. */
export const contents: readonly ReferencePart[] = [
  { of: ['ProfileAuthor'], fields: { type: ['A person.'] } },
  {
    of: ['CompanyAuthor'],
    fields: {
      type: ['A company in its own name.'],
      company_name: ['Name of the company; null when unknown.', 'Acme'],
    },
  },
  {
    of: ['Content'],
    fields: {
      id: ['Id of the post, comment or job posting.', 31],
      type: ['Kind of the content.'],
      url: ['Address of it; null without a public one.', 'https://www.network.example/posts/811'],
      text: ['Its text; null when unknown.', 'Which crm do you use? We are looking for one.'],
      published_at: ['When it was published, in UTC; null when unknown.'],
      author: ['Name of the author; null when unknown.'],
      lead_id: ['Lead id of the author; null if the author is no lead of the workspace.', 77],
      company_id: ['Id of its company; null if it is no company of the workspace.', 9],
      reaction_count: ['Reactions to it; null when unknown.', 12, 'reactions'],
      comment_count: ['Comments on it; null when unknown.', 3, 'comments'],
    },
  },
];
