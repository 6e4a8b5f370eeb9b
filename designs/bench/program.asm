# An endless program for measuring simulators: in every round it fills an array
# with random words, sorts it, and puts out its smallest word, its CRC-32, the
# number of primes below 1024, and a sum of products.
#
#   2048..2303  array of 64 words
#   2560..3583  a byte for each number below 1024: 1 if it is not prime
#   4092        return address of the outer call

        li   sp, 4096
        li   s0, 0x80000000     # where words are put out
        li   s1, 2463534242     # random word, never 0
round:  call fill
        call sort
        li   t0, 2048
        lw   a0, 0(t0)
        sw   a0, 0(s0)
        call crc
        sw   a0, 0(s0)
        call sieve
        sw   a0, 0(s0)
        call dot
        sw   a0, 0(s0)
        j    round

# fill: the array gets random words (xorshift, 32 bits).
fill:   li   t0, 2048
        li   t1, 2304
fill1:  slli t2, s1, 13
        xor  s1, s1, t2
        srli t2, s1, 17
        xor  s1, s1, t2
        slli t2, s1, 5
        xor  s1, s1, t2
        sw   s1, 0(t0)
        addi t0, t0, 4
        bne  t0, t1, fill1
        ret

# sort: insertion sort of the array, as signed words.
sort:   li   t0, 2052           # the word to insert
        li   t1, 2304
        li   t5, 2048
sort1:  lw   t2, 0(t0)
        mv   t3, t0
sort2:  beq  t3, t5, sort3
        lw   t4, -4(t3)
        ble  t4, t2, sort3
        sw   t4, 0(t3)
        addi t3, t3, -4
        j    sort2
sort3:  sw   t2, 0(t3)
        addi t0, t0, 4
        bne  t0, t1, sort1
        ret

# crc: CRC-32 of the bytes of the array in a0.
crc:    li   t0, 2048
        li   t1, 2304
        li   a0, -1
        li   a1, 0xedb88320
crc1:   lbu  t2, 0(t0)
        xor  a0, a0, t2
        li   t3, 8
crc2:   andi t2, a0, 1
        srli a0, a0, 1
        beqz t2, crc3
        xor  a0, a0, a1
crc3:   addi t3, t3, -1
        bnez t3, crc2
        addi t0, t0, 1
        bne  t0, t1, crc1
        not  a0, a0
        ret

# sieve: the number of primes below 1024 in a0.
sieve:  li   t0, 2560
        li   t1, 3584
sieve1: sw   x0, 0(t0)
        addi t0, t0, 4
        bne  t0, t1, sieve1
        li   a0, 0
        li   t0, 2              # candidate
        li   t1, 1024
        li   t5, 2560
        li   t6, 1
sieve2: add  t2, t5, t0
        lbu  t3, 0(t2)
        bnez t3, sieve4
        addi a0, a0, 1
        add  t4, t0, t0         # multiples
sieve3: bgeu t4, t1, sieve4
        add  t2, t5, t4
        sb   t6, 0(t2)
        add  t4, t4, t0
        j    sieve3
sieve4: addi t0, t0, 1
        bne  t0, t1, sieve2
        ret

# dot: the sum of the products of word i and word 63-i, in a0.
dot:    sw   ra, -4(sp)
        li   s2, 2048
        li   s3, 2300
        li   s4, 0
dot1:   lw   a0, 0(s2)
        lw   a1, 0(s3)
        call mul
        add  s4, s4, a0
        addi s2, s2, 4
        addi s3, s3, -4
        blt  s2, s3, dot1
        mv   a0, s4
        lw   ra, -4(sp)
        ret

# mul: a0 times a1, in a0.
mul:    li   t0, 0
mul1:   beqz a1, mul3
        andi t1, a1, 1
        beqz t1, mul2
        add  t0, t0, a0
mul2:   slli a0, a0, 1
        srli a1, a1, 1
        j    mul1
mul3:   mv   a0, t0
        ret
