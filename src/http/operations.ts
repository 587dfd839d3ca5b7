import { answerFields } from './answerFields.ts'
import type { ApiOperation } from './context.ts'

type Json = Record<string, unknown>
type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: Json
}
type Operation = {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: unknown
  security?: readonly object[]
  responses: Record<string, { content?: Record<string, { schema?: unknown }> }>
}

/** The operations of an API document (`openApiOf`), in its order, with what a form needs to ask them. */
export function operationsOf(document: Json): ApiOperation[] {
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Json }
  const paths = document.paths as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      parameters: operation.parameters.map(({ name, in: place, required, description, schema }) => ({
        name,
        place,
        isRequired: required,
        about: description ?? null,
        values: valuesOf(schema),
        default: schema.default === undefined ? null : String(schema.default),
      })),
      needsPerson: operation.security?.every(proof => Object.keys(proof).length > 0) ?? false,
      hasBody: operation.requestBody !== undefined,
      media: Object.keys(operation.responses['200']?.content ?? {}),
      fields: answerFields(operation.responses['200']?.content?.['application/json']?.schema ?? {}, schemas),
    })),
  )
}

/** The closed set of values that a schema allows, as they stand in an address; null where it is open. */
function valuesOf(schema: Json): string[] | null {
  if (Array.isArray(schema.enum)) return schema.enum.map(String)
  return schema.type === 'boolean' ? ['true', 'false'] : null
}
