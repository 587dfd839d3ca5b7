import { type Curve, type Reserves, squareRoot } from './curve.ts'

/** A constant-product pool: x · y stays, the price of x in y is y ÷ x. */
export const productCurve = (reserves: Reserves): Curve => ({
  reserves,
  moved: ({ to, from }) => ({
    x: squareRoot((reserves.x * reserves.x * from) / to),
    y: squareRoot((reserves.y * reserves.y * to) / from),
  }),
})

/** Its marginal price: y for one x. */
export const productPrice = ({ x, y }: Reserves): number => Number(y) / Number(x)
