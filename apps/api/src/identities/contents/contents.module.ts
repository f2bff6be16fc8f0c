import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetContentHandler } from './get-content.query.js';
import { ListContentsHandler } from './list-contents.query.js';

@Module(endpointsOf(ListContentsHandler, GetContentHandler))
export class ContentsModule {}
