import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ConfigurePipelines } from './configure-pipelines.command.js';
import { GetCompany } from './get-company.query.js';

@Module(endpointsOf(GetCompany, ConfigurePipelines))
export class CompaniesModule {}
