/** Why a followed amount goes no further; `moved`: it did, and nothing is left here. */
export const FLOW_RESTS = ['moved', 'held', 'pooled', 'waiting', 'paid', 'burned', 'beyond'] as const
