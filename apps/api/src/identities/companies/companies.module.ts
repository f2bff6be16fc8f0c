import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ConfigurePipelinesHandler } from './configure-pipelines.command.js';
import { GetCompanyHandler } from './get-company.query.js';

@Module(endpointsOf(GetCompanyHandler, ConfigurePipelinesHandler))
export class CompaniesModule {}
