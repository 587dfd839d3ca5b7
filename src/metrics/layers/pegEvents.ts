/** Events by which bitcoin enters and leaves Rootstock, by their ids in `catalog/chains/rootstock.json`. */
export const PEG_EVENTS = {
  in: ['rootstock.powpeg.pegin_btc', 'rootstock.flyover.call_for_user'],
  out: [
    'rootstock.powpeg.release_request_received',
    'rootstock.powpeg.release_request_received_before_fingerroot',
    'rootstock.flyover.peg_out_deposit',
    'rootstock.fastbtc.new_bitcoin_transfer',
  ],
} as const
