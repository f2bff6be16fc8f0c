import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetLeadHandler } from './get-lead.query.js';

@Module(endpointsOf(GetLeadHandler))
export class LeadsModule {}
