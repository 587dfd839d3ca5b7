import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  buildDirectory: 'build',
  ssr: true,
  // The map of all addresses weighs 3.7 kB packed. Asked for in parts, each part that comes is a change of the router's state, for which
  // React draws anew all that it has not taken over yet.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
