import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeAgentHandler } from './change-agent.command.js';
import { CreateAgentHandler } from './create-agent.command.js';
import { DeleteAgentHandler } from './delete-agent.command.js';
import { GetAgentHandler } from './get-agent.query.js';
import { ListAgentsHandler } from './list-agents.query.js';

@Module(
  endpointsOf(CreateAgentHandler, ListAgentsHandler, GetAgentHandler, ChangeAgentHandler, DeleteAgentHandler),
)
export class AgentsModule {}
