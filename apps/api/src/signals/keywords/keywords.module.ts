import { Module } from '@nestjs/common';
import { PreviewAllowance } from './preview-allowance.js';
import { PreviewKeywords, PreviewKeywordsHandler } from './preview-keywords.query.js';

@Module({
  controllers: [PreviewKeywords],
  providers: [PreviewAllowance, PreviewKeywordsHandler],
})
export class KeywordsModule {}
