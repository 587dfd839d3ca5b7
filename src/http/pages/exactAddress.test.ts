/** One page would exist under several addresses, or a valid link would not open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerBuild } from 'react-router'
import { createExactAddress } from './exactAddress.ts'

const paths = [
  'bitcoin',
  'bitcoin/block/:block',
  'bitcoin/l2s/:name',
  'Query',
  'analyze/wallet-tracker/list/:listId',
  ':layer',
  ':layer/tx/:hash',
  '*',
]
// Of a route only its path and parent are read.
const routes = Object.fromEntries([
  ['shell', { id: 'shell' }],
  ...paths.map(path => [path, { id: path, path, parentId: 'shell' }]),
]) as unknown as ServerBuild['routes']
const exact = createExactAddress(routes, ['b2-network'], ['/docs'])

test('static parts take the letter case of the route, ids keep theirs', () => {
  assert.equal(exact('/BITCOIN'), '/bitcoin')
  assert.equal(exact('/query'), '/Query')
  assert.equal(exact('/DOCS/'), '/docs')
  assert.equal(exact('/Bitcoin/Block/ABC'), '/bitcoin/block/ABC')
  assert.equal(exact('/B2-Network/TX/0xAb'), '/b2-network/tx/0xAb')
  assert.equal(exact('/analyze/Wallet-Tracker/list/xY1'), '/analyze/wallet-tracker/list/xY1')
})

test('what needs no escape has none, so that an address has one spelling', () => {
  assert.equal(exact('/%62itcoin'), '/bitcoin')
  assert.equal(exact('/b%69t%63oin'), '/bitcoin')
  assert.equal(exact('/%42itcoin/block/%41b%2Dc'), '/bitcoin/block/Ab-c')
  for (const path of ['/bitcoin/block/a%2fb', '/bitcoin/block/%C3%A4', '/bitcoin/block/%2e%2e'])
    assert.equal(exact(path), undefined, path)
})

test('exact addresses and unknown ones stay', () => {
  for (const path of [
    '/',
    '/bitcoin',
    '/Query',
    '/docs',
    '/bitcoin/block/ABC',
    '/NoSuchPage',
    '/nosuch/tx/0xAb',
    '/b2-network',
  ]) {
    assert.equal(exact(path), undefined)
  }
})

test('a closing slash goes, doubled slashes become one, and encoded ones stay as they are', () => {
  assert.equal(exact('/bitcoin/'), '/bitcoin')
  assert.equal(exact('/nowhere/'), '/nowhere')
  assert.equal(exact('/bitcoin//l2s//rootstock'), '/bitcoin/l2s/rootstock')
  assert.equal(exact('//evil.example/'), '/evil.example')
  assert.equal(exact('//'), '/')
  assert.equal(exact('/%5Cevil.example/'), '/%5Cevil.example')
  assert.equal(exact('/%2F%2Fevil.example/'), '/%2F%2Fevil.example')
})
