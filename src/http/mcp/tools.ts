import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type { ApiError } from '../apiError.ts'
import { DATA_NOTICE } from './chainText.ts'
import { metricTool } from './metricTool.ts'
import { searchTool } from './searchTool.ts'
import { resultTool, sqlTool } from './sqlTools.ts'
import { tableTool } from './tableTool.ts'
import { type AnyTool, callTool, type ToolContext } from './tool.ts'

export const TOOLS: readonly AnyTool[] = [searchTool, metricTool, tableTool, sqlTool, resultTool]

const INSTRUCTIONS = `Assay has analytics on Bitcoin, its layers and the applications on Stacks. Every tool is read-only. Find ids with search, read figures with metric, and anything else with table and sql. Cite the assay link, the age and the completeness with each figure, and say when a result is truncated. ${DATA_NOTICE}`

/** The tools for one request. */
export function createMcpServer(
  context: ToolContext,
  { version, onError }: { version: string; onError: (error: ApiError) => void },
): McpServer {
  const server = new McpServer(
    { name: 'assay', title: 'Assay', version, websiteUrl: context.site.publicUrl },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  )
  for (const spec of TOOLS)
    server.registerTool(
      spec.name,
      {
        title: spec.title,
        description: spec.description,
        inputSchema: unchecked(spec.input),
        outputSchema: spec.output,
        annotations: {
          title: spec.title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      (args, { mcpReq }) =>
        callTool(
          spec,
          args,
          { ...context, signal: AbortSignal.any([context.signal, mcpReq.signal]) },
          onError,
        ),
    )
  return server
}

/** The schema that clients see. Arguments are checked by the call, whose errors have a code and a hint. */
const unchecked = (schema: StandardSchemaWithJSON): StandardSchemaWithJSON => ({
  '~standard': { ...schema['~standard'], validate: value => ({ value }) },
})
