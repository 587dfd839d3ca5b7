/** The API documentation would describe fields that answers do not have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerFields } from './answerFields.ts'

test('fields of an answer are told with their place, type and whether they are always there', () => {
  const schemas = {
    AsOf: {
      type: 'object',
      description: 'How old it is.',
      properties: {
        time: { type: 'string', format: 'date-time' },
        height: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      },
      required: ['time', 'height'],
    },
    Branch: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        branches: { type: 'array', items: { $ref: '#/components/schemas/Branch' } },
      },
      required: ['name'],
    },
  }
  const answer = {
    type: 'object',
    properties: {
      asOf: { $ref: '#/components/schemas/AsOf' },
      points: {
        type: 'array',
        items: {
          type: 'object',
          properties: { day: { type: 'string', description: 'UTC day' } },
          required: ['day'],
        },
      },
      state: { enum: ['live', 'stale'] },
      byName: { type: 'object', additionalProperties: { type: 'number' } },
      tree: { $ref: '#/components/schemas/Branch' },
    },
    required: ['asOf', 'points'],
  }
  const told = answerFields(answer, schemas).map(
    ({ path, type, isAlways }) => `${path}: ${type}${isAlways ? '' : '?'}`,
  )
  assert.deepEqual(told, [
    'asOf: AsOf',
    'asOf.time: date-time',
    'asOf.height: integer or null',
    'points: list of object',
    'points[].day: string',
    'state: "live" or "stale"?',
    'byName: object?',
    'byName.{key}: number?',
    'tree: Branch?',
    'tree.name: string',
    'tree.branches: list of Branch?',
  ])
})
