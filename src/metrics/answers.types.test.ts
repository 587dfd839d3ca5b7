/** Metric answers would no longer fit the API schema. */
import { test } from 'node:test'
import type * as contract from '#http/contract.ts'
import type * as answers from './answers.ts'

/** Compiles only while `Given` may stand where `Wanted` is asked for. */
const fits = <_Given extends _Wanted, _Wanted>(): void => {}

test('answers have the shapes of the API', () => {
  fits<answers.Series, contract.Series>()
  fits<answers.Figure, contract.Figure>()
  fits<answers.MetricEntry, contract.MetricEntry>()
  fits<answers.SourceRef, contract.SourceRef>()
  fits<contract.SeriesQuery, answers.SeriesQuery>()
})
