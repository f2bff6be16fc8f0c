import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeOldestPersonaEndpoint } from './change-oldest-persona.command.js';
import { ChangePersonaHandler } from './change-persona.command.js';
import { CreatePersonaHandler } from './create-persona.command.js';
import { GetOldestPersonaHandler } from './get-oldest-persona.query.js';
import { GetPersonaHandler } from './get-persona.query.js';
import { ListPersonasHandler, ListPersonasV3 } from './list-personas.query.js';
import { UpsertPersonaEndpoint, UpsertPersonaHandler } from './upsert-persona.command.js';

@Module(
  endpointsOf(
    CreatePersonaHandler,
    ListPersonasHandler,
    GetPersonaHandler,
    ChangePersonaHandler,
    GetOldestPersonaHandler,
    ChangeOldestPersonaEndpoint,
    ListPersonasV3,
    UpsertPersonaEndpoint,
    UpsertPersonaHandler,
  ),
)
export class PersonasModule {}
