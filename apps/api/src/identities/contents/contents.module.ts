import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetContent } from './get-content.query.js';
import { ListContents } from './list-contents.query.js';

@Module(endpointsOf(ListContents, GetContent))
export class ContentsModule {}
