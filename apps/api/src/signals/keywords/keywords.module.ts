import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { PreviewKeywords } from './preview-keywords.query.js';

@Module(endpointsOf(PreviewKeywords))
export class KeywordsModule {}
