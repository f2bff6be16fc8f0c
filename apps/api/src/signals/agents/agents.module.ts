import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeAgent } from './change-agent.command.js';
import { CreateAgent } from './create-agent.command.js';
import { DeleteAgent } from './delete-agent.command.js';
import { GetAgent } from './get-agent.query.js';
import { ListAgents } from './list-agents.query.js';

@Module(endpointsOf(CreateAgent, ListAgents, GetAgent, ChangeAgent, DeleteAgent))
export class AgentsModule {}
