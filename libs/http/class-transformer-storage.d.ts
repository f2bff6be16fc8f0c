/** The metadata of `@Type` in class-transformer; the package exports it only here, and its types are elsewhere. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
