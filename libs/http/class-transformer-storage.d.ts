/** Where class-transformer keeps what `@Type` says; the package has no other door to it, and types it elsewhere. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
