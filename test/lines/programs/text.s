# A unit without functions in its debug information.
	.text
	.globl	asm_work
	.type	asm_work, @function
asm_work:
	lea	(%rdi,%rdi,2), %eax
	.globl	at_asm
	.hidden	at_asm
at_asm:	nop
	ret
	.size	asm_work, . - asm_work
	.section	.note.GNU-stack,"",@progbits
