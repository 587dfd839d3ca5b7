/** Figures would lose digits or show unknown as zero. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  btcCell,
  changeText,
  exactBtc,
  exactStx,
  exactUnits,
  figureText,
  grouped,
  percentText,
  tickTexts,
} from './figure.ts'

test('satoshis beyond 2^53 keep every digit', () => {
  assert.equal(exactBtc('18446744073709551615'), '184,467,440,737.09551615 BTC')
  assert.equal(btcCell('5'), '0.00000005')
  assert.equal(figureText('18446744073709551615', 'sat').full, '18,446,744,073,709,551,615 sat')
})

test('an amount is told in bitcoins from a hundredth up, in satoshis below', () => {
  assert.equal(figureText(304_066_780, 'sat').text, '3.041 BTC')
  assert.equal(figureText(1204, 'sat').text, '1,204 sat')
})

test('what is not known is a dash and never a zero', () => {
  assert.equal(figureText(null, 'sat').text, '–')
  assert.equal(figureText(0, 'tx').number, '0')
})

test('a figure and its unit come apart for the strip', () => {
  assert.deepEqual([figureText(866.21, 'EH/s').number, figureText(866.21, 'EH/s').tail], ['866.2', 'EH/s'])
  assert.equal(figureText(65_602.1, 'USD').text, '$65,602')
  assert.equal(figureText(-99_050_000, 'USD').text, '−$99.05M')
})

test('an axis of small amounts counts satoshis, and neighbours on an axis never read the same', () => {
  assert.deepEqual(tickTexts([0, 500, 1000], 'sat'), ['0', '500', '1,000'])
  assert.deepEqual(tickTexts([0, 50_000_000, 100_000_000], 'sat'), ['0', '0.5', '1'])
  assert.deepEqual(tickTexts([1_990_000_000_000_000, 1_992_000_000_000_000], 'sat'), ['19.9M', '19.92M'])
})

test('what no letter reaches, and what eight decimals would round away, is told by its power of ten', () => {
  assert.equal(figureText(1.234e24, 'USD').text, '$1.234e24')
  assert.equal(figureText(-1.234e24, 'tx').number, '−1.234e24')
  assert.equal(figureText(999_900_000_000_000_000, 'tx').number, '999.9P')
  assert.equal(figureText(-5.4321e-9, 'USD').text, '−$5.432e−9')
  assert.deepEqual(tickTexts([-5e23, 0, 5e23, 1e24], 'USD'), ['−$5e23', '$0', '$5e23', '$1e24'])
  assert.deepEqual(tickTexts([0, 1e-9, 2e-9], 'USD'), ['$0', '$1e−9', '$2e−9'])
  assert.equal(percentText(123_456), '12.35M\u202f%')
})

test('changes carry their sign', () => {
  assert.equal(changeText(0.361), '+36\u202f%')
  assert.equal(changeText(-0.0004), '−0.04\u202f%')
  assert.equal(percentText(1), '100\u202f%')
})

test('ticks of an axis share their letter', () => {
  assert.deepEqual(tickTexts([0, 50_000, 100_000], 'USD'), ['$0', '$50k', '$100k'])
  assert.deepEqual(tickTexts([0, 0.005, 0.01], 'ratio'), ['0\u202f%', '0.5\u202f%', '1\u202f%'])
  assert.equal(grouped('-1234567.5'), '−1,234,567.5')
})

test('micro-STX are told as STX, and to the last digit on hover', () => {
  assert.equal(figureText(442_251_057_311_186, 'uSTX').text, '442.3M STX')
  assert.equal(figureText('442251057311186', 'uSTX').full, '442,251,057.311186 STX')
  assert.equal(exactStx('400000'), '0.400000 STX')
  assert.deepEqual(tickTexts([0, 500_000_000_000, 1_000_000_000_000], 'uSTX'), ['0', '0.5M', '1M'])
})

test('wei of a coin are told in the coin, small ones in its parts, and to the last digit on hover', () => {
  assert.equal(figureText('2335000000000000000', 'wei.ETH').text, '2.335 ETH')
  assert.equal(figureText('23350000000', 'wei.ETH').text, '23.35 gwei')
  assert.equal(figureText('23350000000000', 'wei.RBTC').text, '2,335 sat')
  assert.equal(figureText('2335000000000000001', 'wei.CORE').full, '2.335000000000000001 CORE')
  assert.equal(exactUnits('1500000', 6), '1.5')
  assert.equal(exactUnits('7', 0), '7')
  assert.deepEqual(tickTexts([0, 5e17, 1e18], 'wei.BTC'), ['0', '0.5', '1'])
})

test('a grade of trust is told in its word, and what is no grade is none', () => {
  assert.equal(figureText(4, 'grade').text, 'Very High')
  assert.equal(figureText(1, 'grade').full, 'Low, 1 of 5')
  assert.equal(figureText(0, 'grade').text, '–')
})

test('one of a thing is in the singular', () => {
  assert.deepEqual(
    [
      [1, 'companies'],
      [1, 'addresses'],
      [1, 'blocks'],
      [1, 'days'],
      [1, 'tx'],
      [1, 'gas'],
      [1, 'EH/s'],
      [1, 'people'],
      [1, 'mints/h'],
      [1.00001, 'blocks'],
      [2, 'companies'],
      [1.5, 'days'],
      [0, 'blocks'],
    ].map(([value, unit]) => figureText(value, String(unit)).text),
    [
      '1 company',
      '1 address',
      '1 block',
      '1 day',
      '1 tx',
      '1 gas',
      '1 EH/s',
      '1 person',
      '1 mint/h',
      '1 block',
      '2 companies',
      '1.5 days',
      '0 blocks',
    ],
  )
})
