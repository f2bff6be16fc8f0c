import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeOldestPersona } from './change-oldest-persona.command.js';
import { ChangePersona } from './change-persona.command.js';
import { CreatePersona } from './create-persona.command.js';
import { GetOldestPersona } from './get-oldest-persona.query.js';
import { GetPersona } from './get-persona.query.js';
import { ListPersonas, ListPersonasV3 } from './list-personas.query.js';
import { UpsertPersona } from './upsert-persona.command.js';

@Module(
  endpointsOf(
    CreatePersona,
    ListPersonas,
    GetPersona,
    ChangePersona,
    GetOldestPersona,
    ChangeOldestPersona,
    ListPersonasV3,
    UpsertPersona,
  ),
)
export class PersonasModule {}
