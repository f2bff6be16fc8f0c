import { Module } from '@nestjs/common';
import { ChangeAgent, ChangeAgentHandler } from './change-agent.command.js';
import { CreateAgent, CreateAgentHandler } from './create-agent.command.js';
import { DeleteAgent, DeleteAgentHandler } from './delete-agent.command.js';
import { GetAgent, GetAgentHandler } from './get-agent.query.js';
import { ListAgents, ListAgentsHandler } from './list-agents.query.js';

@Module({
  controllers: [CreateAgent, ListAgents, GetAgent, ChangeAgent, DeleteAgent],
  providers: [CreateAgentHandler, ListAgentsHandler, GetAgentHandler, ChangeAgentHandler, DeleteAgentHandler],
})
export class AgentsModule {}
