/** Recorded calls of the main network: their txid, and what a reader who knows the contract says they ask for. */
export const recordedSays: readonly (readonly [txid: string, says: string])[] = [
  [
    '61233be68853960bb30812a6692fa5713892a57dfa578d4009523c9e6b99fc7c',
    'Stack 252,615.99974 STX for 1 cycle, paid to 3Fa8s9JfE82nnxEECBEuwiwp4zpH7ZADCQ',
  ],
  [
    '2cb95fc185017395cfb147de7303a2217ff66d844429cac8a98aa4059094d5cb',
    'Claim the mining reward of block 29,431',
  ],
  ['2bace706e82ec49e5547363be3758fdb780b2be7201b5d23004e16a51d7eddc6', 'Mine in 22 blocks'],
  [
    'eeca1df114c7c463040707392c47dad343624b55fbc4dfc6a85585dffd9393a7',
    'Send 76,850 base units of miamicoin-token to SP3HX…YZPZJ with the memo “101264”',
  ],
  [
    '3f1a973872bdcd77ebe6462d238d83465aad50a80f5ead06a6909ba1981a62ab',
    'Stack 800,000 city coins for 3 cycles',
  ],
  ['cea25491244746878db68b5b42579a68e49c09aa0214ee7b5d0c6b32e2ccf6f9', 'Preorder a name for 2 STX'],
  ['67f98d24b20f455ceaee2228e7fe48b82bb8d5564456e7e4cd65d7dd2a57bf29', 'Register the name dang.btc'],
  [
    '9dc9ac3daee981c912612fd3785d52ddc9e43155a49d35c2102962830344e186',
    'Swap 149.4567103 auto-alex for at least 12.51275859 STX on ALEX',
  ],
  ['0ac92aeb0129750441ee796b6e9ead293ef11779294748f24d3d74e83f6534c5', 'Send 3.22 STX to 30 recipients'],
  [
    '8acb6c689956465e119341dfb3310b78995386cbcb0039d16f765a4ef63e83b6',
    'Transfer the name wemusic.btc to SP11K…Q3R39',
  ],
  [
    'de92fe0024abe3c58a8180d85a6bea56c8e5e9b2f536f8c82ec1b3b4ef0e500e',
    'Add 138.16158825 STX and at most 2,259.87660514 alex to the pool of STX and alex on ALEX',
  ],
  [
    'fd0ec7d8b2380762e55604103ad93dcbe4b7943599ef8c5a68981a58785a42c8',
    'Stake 250 fwp-wstx-alex-50-50-v1-01 for 32 cycles on ALEX',
  ],
  [
    'cd73c7c3023d4f271981d85cb1c29446a5513dcfc182963ee2d1cfee06b9a4ad',
    'Ask to withdraw 0.001 sBTC to Bitcoin address 39fpi2aBoAUaCN5baGGqKPtc4HpCFvU8oc, fee at most 0.00003 sBTC',
  ],
  [
    'f037c8da8210e2a348bbecd3bc44901de875d3774c5fce49cb75d95f2dc2ca4d',
    'Renew the name friedger.id for 0.10833 STX',
  ],
  [
    '9421486d4c891ae4250d5ea532bc64d47fa68345bc408c66df05651749c86783',
    'Delegate up to 1,327 STX to SP1K1…KNK60',
  ],
  [
    'fd49a35485a644fae7095e2a8428162cf96621ce31ee5d62e8ce1f24a91bf77c',
    'Allow SPXVR…R4Q33.xverse-pool-v1 to stack in its name',
  ],
  ['d45e090ac442380cf50655e3d1c904c355a501d6dffa3b5e4799083062469dbc', 'Fund the stacking pools on LISA'],
  [
    '0945c04378d254c49916e1bbcb75a1a0061c03f48d11c85538805abe2ed711d0',
    'Withdraw the bid for #2,023 of SP3D6PV2ACBPEKYJTCMH7HEN02KP87QSP8KTEH335.megapont-ape-club-nft::Megapont-Ape-C… on Tradeport',
  ],
  ['337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406', 'Buy Wasteland Apes #7400'],
  [
    '6d513575c10c0bc848fa0e41039b93882064d9e8cda252a6cdfb680d06386e2b',
    'List Shafts of Light Townsfolk #541 for 160.189574 STX',
  ],
]
