import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { PreviewAllowance } from './preview-allowance.js';
import { PreviewKeywordsHandler } from './preview-keywords.query.js';

@Module(endpointsOf(PreviewKeywordsHandler, PreviewAllowance))
export class KeywordsModule {}
