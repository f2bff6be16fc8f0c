import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { GetLead } from './get-lead.query.js';

@Module(endpointsOf(GetLead))
export class LeadsModule {}
