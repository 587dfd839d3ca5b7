import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { stacksAddressId, stacksNames } from '../schemas/stacks.ts'
import type { NodeDesk } from '../stacksNode.ts'

/** Names of an address: by the blocks held; where these tell of none, as a Stacks node has them. */
export const stacksNamesRoute = (apiFor: (asker: string) => FullApi, desk: NodeDesk): AnyRoute =>
  route({
    method: 'GET',
    path: '/api/v1/stacks/addresses/:address/names',
    id: 'listStacksAddressNames',
    summary: 'BNS names of an address, from indexed blocks or else from a Stacks node',
    params: z.strictObject({ address: stacksAddressId }),
    answer: { schema: stacksNames },
    problems: [404, 429, 502],
    kept: 'never',
    handle: async ({ params: { address }, asker }) => {
      const names = await apiFor(asker).stacks.namesOf(address)
      if (names.length > 0) return json({ names, from: 'blocks' })
      if (!desk.isOpen) return json({ names, from: 'nowhere' })
      return desk.read(asker, JSON.stringify(['names', address]), async node => ({
        names: (await node.namesOf(address)).names,
        from: 'node',
      }))
    },
  })
