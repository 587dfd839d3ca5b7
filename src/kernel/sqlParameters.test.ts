/** A parameter would lose its field, be sent in a format that the engine refuses, or shift the position of an error. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bindSql,
  faultOf,
  fieldKind,
  itemsOf,
  listText,
  parametersOf,
  valuesToSend,
} from './sqlParameters.ts'

const of = (name: string, type: string) => ({ name, type, isTypeOpen: false })

describe('parameters of a query', () => {
  test('both forms are found, without duplicates, and not in strings or comments', () => {
    const sql = "SELECT {day:Date}, {{ name }}, {{name}}, '{{no}}', {n:Nullable(UInt8)} -- {no:Int8}"
    assert.deepEqual(parametersOf(sql, {}), [
      of('day', 'Date'),
      { name: 'name', type: 'String', isTypeOpen: true },
      of('n', 'Nullable(UInt8)'),
    ])
  })

  // Quadratic or cubic algorithms would take minutes to days on these.
  test('hostile texts are parsed quickly', () => {
    const many = 100_000
    for (const [sql, names] of [
      [`{a:${' '.repeat(many)}`, 0],
      [`{a:${' '.repeat(many)}}`, 0],
      [`{a:${' x'.repeat(many)}`, 0],
      [`{a :${' '.repeat(many)}Date }`, 1],
      ['{'.repeat(many), 0],
      ['{ '.repeat(many), 0],
      [`{{${' '.repeat(many)}`, 0],
      ['{a :'.repeat(many), 0],
      ['{a:B}'.repeat(many), 1],
      ['$a $b $c '.repeat(many), 0],
      [Array.from({ length: many }, (_, i) => `$${i.toString(36)}`).join(''), 0],
      ['/**/'.repeat(many), 0],
    ] as const) {
      assert.equal(parametersOf(sql, {}).length, names, sql.slice(0, 20))
      assert.equal(bindSql(sql, []).sql.length, sql.length)
    }
  })

  test('a written type wins over a chosen one, wherever it stands', () => {
    assert.deepEqual(parametersOf('SELECT {{a}}, {a:Date}', { a: 'Int64' }), [of('a', 'Date')])
    assert.deepEqual(parametersOf('SELECT {{a}}', { a: 'Int64' }), [
      { name: 'a', type: 'Int64', isTypeOpen: true },
    ])
  })

  test('values are bound and never part of the text, and positions map back', () => {
    const sql = 'SELECT {{from}}, {{to}} FRM t'
    const bound = bindSql(sql, parametersOf(sql, { to: 'Array(String)' }))
    assert.equal(bound.sql, 'SELECT {from:String}, {to:Array(String)} FRM t')
    assert.equal(bound.toSource(bound.sql.indexOf('FRM')), sql.indexOf('FRM'))
    assert.equal(bound.toSource(3), 3)
    assert.ok(bound.toSource(bound.sql.indexOf('String')) <= sql.indexOf('{{to}}'))
  })

  test('a type that is not allowed is reported, and never part of the text', () => {
    for (const type of ['', 'UInt8', 'String} OR {x:String', 'Identifier']) {
      const parameters = parametersOf('SELECT {{a}}', { a: type })
      assert.deepEqual(parameters, [{ name: 'a', type: 'String', isTypeOpen: true, refusedType: type }])
      assert.match(faultOf({ ...of('a', 'String'), refusedType: type }, 'x') ?? '', /Choose String/)
      assert.equal(bindSql('SELECT {{a}}', parameters).sql, 'SELECT {a:String}')
    }
    assert.deepEqual(parametersOf('SELECT {{constructor}}', {}), [
      { ...of('constructor', 'String'), isTypeOpen: true },
    ])
  })

  test('a time zone stays part of its type', () => {
    assert.deepEqual(parametersOf("SELECT {t:DateTime('Asia/Tokyo')}", {}), [
      of('t', "DateTime('Asia/Tokyo')"),
    ])
  })

  test('a list can be entered as text, JSON or SQL, and chosen values keep their commas', () => {
    const sent = (type: string, value: string) => valuesToSend([of('a', type)], { a: value }).a
    assert.equal(sent('Array(String)', '["a, b"]'), '["a, b"]')
    assert.equal(sent('Array(String)', "['a', 'b']"), "['a', 'b']")
    assert.equal(sent('Array(Int64)', ' [1, 2] '), '[1,2]')
    for (const items of [['a', 'b'], ['a, b'], ['[x]'], [' a'], []])
      assert.deepEqual(itemsOf(listText(items)), items)
  })

  test('an ambiguous date is reported with both readings', () => {
    for (const type of ['Date', 'DateTime'])
      assert.match(faultOf(of('a', type), '03/04/2026') ?? '', /2026-03-04 or 2026-04-03/)
    assert.doesNotMatch(faultOf(of('a', 'Date'), '25/12/2026') ?? '', / or /)
  })

  test('each type has its field', () => {
    const kinds = {
      String: 'text',
      'Nullable(Date)': 'date',
      'DateTime64(3)': 'time',
      'LowCardinality(Nullable(Int64))': 'number',
      'Decimal(18, 2)': 'number',
      'Array(Int64)': 'list',
    }
    for (const [type, kind] of Object.entries(kinds)) assert.equal(fieldKind(type), kind, type)
  })

  test('missing and invalid values are reported, but not empty strings or nullable values', () => {
    assert.equal(faultOf(of('a', 'String'), undefined), 'Enter a value.')
    assert.equal(faultOf(of('a', 'String'), ''), undefined)
    assert.equal(faultOf(of('a', 'Date'), ''), 'Enter a value.')
    assert.equal(faultOf(of('a', 'Nullable(Date)'), ''), undefined)
    assert.match(faultOf(of('a', 'Date'), '2026-02-30') ?? '', /YYYY-MM-DD/)
    assert.match(faultOf(of('a', 'Int64'), '1.5') ?? '', /Int64/)
    assert.equal(faultOf(of('a', 'Float64'), '-1.5e3'), undefined)
    assert.equal(faultOf(of('a', 'DateTime'), '2026-01-31T10:30'), undefined)
    assert.match(faultOf(of('a', 'Array(Int64)'), '1, two') ?? '', /two/)
  })

  test('values are sent in API format', () => {
    const parameters = [
      of('list', 'Array(String)'),
      of('numbers', 'Array(Int64)'),
      of('time', 'DateTime'),
      of('none', 'Nullable(Int64)'),
      of('text', 'String'),
    ]
    const values = { list: 'a, "b"\nc', numbers: '1,2', time: '2026-01-31T10:30', text: "'; DROP" }
    assert.deepEqual(valuesToSend(parameters, values), {
      list: '["a","\\"b\\"","c"]',
      numbers: '[1,2]',
      time: '2026-01-31 10:30:00',
      none: '\\N',
      text: "'; DROP",
    })
  })
})
