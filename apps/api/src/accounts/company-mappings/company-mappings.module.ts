import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { EnrichCompanyMapping } from './enrich-company-mapping.command.js';
import { GetCompanyMapping } from './get-company-mapping.query.js';
import { GetMappingStage } from './get-mapping-stage.query.js';
import { ListCompanyMappings } from './list-company-mappings.query.js';

@Module(endpointsOf(EnrichCompanyMapping, GetMappingStage, ListCompanyMappings, GetCompanyMapping))
export class CompanyMappingsModule {}
