//! Opcode tables of CPython 3.11 to 3.15.
//!
//! Written by `tables/generate.py` from the interpreters 3.11.7, 3.12.1, 3.13.0, 3.14.10, 3.15.2; do not edit.

use super::{Entry, Opcode};

const fn entry(name: &'static str, opcode: Opcode, caches: u8, has_arg: bool) -> Option<Entry> {
    Some(Entry {
        name,
        opcode,
        caches,
        has_arg,
    })
}

/// CPython 3.11, indexed by opcode byte.
pub(super) static PY311: [Option<Entry>; 256] = {
    let mut t = [None; 256];
    t[0] = entry("CACHE", Opcode::Cache, 0, false);
    t[1] = entry("POP_TOP", Opcode::PopTop, 0, false);
    t[2] = entry("PUSH_NULL", Opcode::PushNull, 0, false);
    t[3] = entry("BINARY_OP_ADAPTIVE", Opcode::BinaryOp, 1, true);
    t[4] = entry("BINARY_OP_ADD_FLOAT", Opcode::BinaryOp, 1, true);
    t[5] = entry("BINARY_OP_ADD_INT", Opcode::BinaryOp, 1, true);
    t[6] = entry("BINARY_OP_ADD_UNICODE", Opcode::BinaryOp, 1, true);
    t[7] = entry("BINARY_OP_INPLACE_ADD_UNICODE", Opcode::BinaryOp, 1, true);
    t[8] = entry("BINARY_OP_MULTIPLY_FLOAT", Opcode::BinaryOp, 1, true);
    t[9] = entry("NOP", Opcode::Nop, 0, false);
    t[10] = entry("UNARY_POSITIVE", Opcode::UnaryPositive, 0, false);
    t[11] = entry("UNARY_NEGATIVE", Opcode::UnaryNegative, 0, false);
    t[12] = entry("UNARY_NOT", Opcode::UnaryNot, 0, false);
    t[13] = entry("BINARY_OP_MULTIPLY_INT", Opcode::BinaryOp, 1, true);
    t[14] = entry("BINARY_OP_SUBTRACT_FLOAT", Opcode::BinaryOp, 1, true);
    t[15] = entry("UNARY_INVERT", Opcode::UnaryInvert, 0, false);
    t[16] = entry("BINARY_OP_SUBTRACT_INT", Opcode::BinaryOp, 1, true);
    t[17] = entry("BINARY_SUBSCR_ADAPTIVE", Opcode::BinarySubscr, 4, false);
    t[18] = entry("BINARY_SUBSCR_DICT", Opcode::BinarySubscr, 4, false);
    t[19] = entry("BINARY_SUBSCR_GETITEM", Opcode::BinarySubscr, 4, false);
    t[20] = entry("BINARY_SUBSCR_LIST_INT", Opcode::BinarySubscr, 4, false);
    t[21] = entry("BINARY_SUBSCR_TUPLE_INT", Opcode::BinarySubscr, 4, false);
    t[22] = entry("CALL_ADAPTIVE", Opcode::Call, 4, true);
    t[23] = entry("CALL_PY_EXACT_ARGS", Opcode::Call, 4, true);
    t[24] = entry("CALL_PY_WITH_DEFAULTS", Opcode::Call, 4, true);
    t[25] = entry("BINARY_SUBSCR", Opcode::BinarySubscr, 4, false);
    t[26] = entry("COMPARE_OP_ADAPTIVE", Opcode::CompareOp, 2, true);
    t[27] = entry("COMPARE_OP_FLOAT_JUMP", Opcode::CompareOp, 2, true);
    t[28] = entry("COMPARE_OP_INT_JUMP", Opcode::CompareOp, 2, true);
    t[29] = entry("COMPARE_OP_STR_JUMP", Opcode::CompareOp, 2, true);
    t[30] = entry("GET_LEN", Opcode::GetLen, 0, false);
    t[31] = entry("MATCH_MAPPING", Opcode::MatchMapping, 0, false);
    t[32] = entry("MATCH_SEQUENCE", Opcode::MatchSequence, 0, false);
    t[33] = entry("MATCH_KEYS", Opcode::MatchKeys, 0, false);
    t[34] = entry("EXTENDED_ARG_QUICK", Opcode::ExtendedArg, 0, true);
    t[35] = entry("PUSH_EXC_INFO", Opcode::PushExcInfo, 0, false);
    t[36] = entry("CHECK_EXC_MATCH", Opcode::CheckExcMatch, 0, false);
    t[37] = entry("CHECK_EG_MATCH", Opcode::CheckEgMatch, 0, false);
    t[38] = entry("JUMP_BACKWARD_QUICK", Opcode::JumpBackward, 0, true);
    t[39] = entry("LOAD_ATTR_ADAPTIVE", Opcode::LoadAttr, 4, true);
    t[40] = entry("LOAD_ATTR_INSTANCE_VALUE", Opcode::LoadAttr, 4, true);
    t[41] = entry("LOAD_ATTR_MODULE", Opcode::LoadAttr, 4, true);
    t[42] = entry("LOAD_ATTR_SLOT", Opcode::LoadAttr, 4, true);
    t[43] = entry("LOAD_ATTR_WITH_HINT", Opcode::LoadAttr, 4, true);
    t[44] = entry("LOAD_CONST__LOAD_FAST", Opcode::LoadConst, 0, true);
    t[45] = entry("LOAD_FAST__LOAD_CONST", Opcode::LoadFast, 0, true);
    t[46] = entry("LOAD_FAST__LOAD_FAST", Opcode::LoadFast, 0, true);
    t[47] = entry("LOAD_GLOBAL_ADAPTIVE", Opcode::LoadGlobal, 5, true);
    t[48] = entry("LOAD_GLOBAL_BUILTIN", Opcode::LoadGlobal, 5, true);
    t[49] = entry("WITH_EXCEPT_START", Opcode::WithExceptStart, 0, false);
    t[50] = entry("GET_AITER", Opcode::GetAiter, 0, false);
    t[51] = entry("GET_ANEXT", Opcode::GetAnext, 0, false);
    t[52] = entry("BEFORE_ASYNC_WITH", Opcode::BeforeAsyncWith, 0, false);
    t[53] = entry("BEFORE_WITH", Opcode::BeforeWith, 0, false);
    t[54] = entry("END_ASYNC_FOR", Opcode::EndAsyncFor, 0, false);
    t[55] = entry("LOAD_GLOBAL_MODULE", Opcode::LoadGlobal, 5, true);
    t[56] = entry("LOAD_METHOD_ADAPTIVE", Opcode::LoadMethod, 10, true);
    t[57] = entry("LOAD_METHOD_CLASS", Opcode::LoadMethod, 10, true);
    t[58] = entry("LOAD_METHOD_MODULE", Opcode::LoadMethod, 10, true);
    t[59] = entry("LOAD_METHOD_NO_DICT", Opcode::LoadMethod, 10, true);
    t[60] = entry("STORE_SUBSCR", Opcode::StoreSubscr, 1, false);
    t[61] = entry("DELETE_SUBSCR", Opcode::DeleteSubscr, 0, false);
    t[62] = entry("LOAD_METHOD_WITH_DICT", Opcode::LoadMethod, 10, true);
    t[63] = entry("LOAD_METHOD_WITH_VALUES", Opcode::LoadMethod, 10, true);
    t[64] = entry("PRECALL_ADAPTIVE", Opcode::Precall, 1, true);
    t[65] = entry("PRECALL_BOUND_METHOD", Opcode::Precall, 1, true);
    t[66] = entry("PRECALL_BUILTIN_CLASS", Opcode::Precall, 1, true);
    t[67] = entry(
        "PRECALL_BUILTIN_FAST_WITH_KEYWORDS",
        Opcode::Precall,
        1,
        true,
    );
    t[68] = entry("GET_ITER", Opcode::GetIter, 0, false);
    t[69] = entry("GET_YIELD_FROM_ITER", Opcode::GetYieldFromIter, 0, false);
    t[70] = entry("PRINT_EXPR", Opcode::PrintExpr, 0, false);
    t[71] = entry("LOAD_BUILD_CLASS", Opcode::LoadBuildClass, 0, false);
    t[72] = entry(
        "PRECALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS",
        Opcode::Precall,
        1,
        true,
    );
    t[73] = entry("PRECALL_NO_KW_BUILTIN_FAST", Opcode::Precall, 1, true);
    t[74] = entry("LOAD_ASSERTION_ERROR", Opcode::LoadAssertionError, 0, false);
    t[75] = entry("RETURN_GENERATOR", Opcode::ReturnGenerator, 0, false);
    t[76] = entry("PRECALL_NO_KW_BUILTIN_O", Opcode::Precall, 1, true);
    t[77] = entry("PRECALL_NO_KW_ISINSTANCE", Opcode::Precall, 1, true);
    t[78] = entry("PRECALL_NO_KW_LEN", Opcode::Precall, 1, true);
    t[79] = entry("PRECALL_NO_KW_LIST_APPEND", Opcode::Precall, 1, true);
    t[80] = entry(
        "PRECALL_NO_KW_METHOD_DESCRIPTOR_FAST",
        Opcode::Precall,
        1,
        true,
    );
    t[81] = entry(
        "PRECALL_NO_KW_METHOD_DESCRIPTOR_NOARGS",
        Opcode::Precall,
        1,
        true,
    );
    t[82] = entry("LIST_TO_TUPLE", Opcode::ListToTuple, 0, false);
    t[83] = entry("RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[84] = entry("IMPORT_STAR", Opcode::ImportStar, 0, false);
    t[85] = entry("SETUP_ANNOTATIONS", Opcode::SetupAnnotations, 0, false);
    t[86] = entry("YIELD_VALUE", Opcode::YieldValue, 0, false);
    t[87] = entry("ASYNC_GEN_WRAP", Opcode::AsyncGenWrap, 0, false);
    t[88] = entry("PREP_RERAISE_STAR", Opcode::PrepReraiseStar, 0, false);
    t[89] = entry("POP_EXCEPT", Opcode::PopExcept, 0, false);
    t[90] = entry("STORE_NAME", Opcode::StoreName, 0, true);
    t[91] = entry("DELETE_NAME", Opcode::DeleteName, 0, true);
    t[92] = entry("UNPACK_SEQUENCE", Opcode::UnpackSequence, 1, true);
    t[93] = entry("FOR_ITER", Opcode::ForIter, 0, true);
    t[94] = entry("UNPACK_EX", Opcode::UnpackEx, 0, true);
    t[95] = entry("STORE_ATTR", Opcode::StoreAttr, 4, true);
    t[96] = entry("DELETE_ATTR", Opcode::DeleteAttr, 0, true);
    t[97] = entry("STORE_GLOBAL", Opcode::StoreGlobal, 0, true);
    t[98] = entry("DELETE_GLOBAL", Opcode::DeleteGlobal, 0, true);
    t[99] = entry("SWAP", Opcode::Swap, 0, true);
    t[100] = entry("LOAD_CONST", Opcode::LoadConst, 0, true);
    t[101] = entry("LOAD_NAME", Opcode::LoadName, 0, true);
    t[102] = entry("BUILD_TUPLE", Opcode::BuildTuple, 0, true);
    t[103] = entry("BUILD_LIST", Opcode::BuildList, 0, true);
    t[104] = entry("BUILD_SET", Opcode::BuildSet, 0, true);
    t[105] = entry("BUILD_MAP", Opcode::BuildMap, 0, true);
    t[106] = entry("LOAD_ATTR", Opcode::LoadAttr, 4, true);
    t[107] = entry("COMPARE_OP", Opcode::CompareOp, 2, true);
    t[108] = entry("IMPORT_NAME", Opcode::ImportName, 0, true);
    t[109] = entry("IMPORT_FROM", Opcode::ImportFrom, 0, true);
    t[110] = entry("JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[111] = entry("JUMP_IF_FALSE_OR_POP", Opcode::JumpIfFalseOrPop, 0, true);
    t[112] = entry("JUMP_IF_TRUE_OR_POP", Opcode::JumpIfTrueOrPop, 0, true);
    t[113] = entry(
        "PRECALL_NO_KW_METHOD_DESCRIPTOR_O",
        Opcode::Precall,
        1,
        true,
    );
    t[114] = entry(
        "POP_JUMP_FORWARD_IF_FALSE",
        Opcode::PopJumpForwardIfFalse,
        0,
        true,
    );
    t[115] = entry(
        "POP_JUMP_FORWARD_IF_TRUE",
        Opcode::PopJumpForwardIfTrue,
        0,
        true,
    );
    t[116] = entry("LOAD_GLOBAL", Opcode::LoadGlobal, 5, true);
    t[117] = entry("IS_OP", Opcode::IsOp, 0, true);
    t[118] = entry("CONTAINS_OP", Opcode::ContainsOp, 0, true);
    t[119] = entry("RERAISE", Opcode::Reraise, 0, true);
    t[120] = entry("COPY", Opcode::Copy, 0, true);
    t[121] = entry("PRECALL_NO_KW_STR_1", Opcode::Precall, 1, true);
    t[122] = entry("BINARY_OP", Opcode::BinaryOp, 1, true);
    t[123] = entry("SEND", Opcode::Send, 0, true);
    t[124] = entry("LOAD_FAST", Opcode::LoadFast, 0, true);
    t[125] = entry("STORE_FAST", Opcode::StoreFast, 0, true);
    t[126] = entry("DELETE_FAST", Opcode::DeleteFast, 0, true);
    t[127] = entry("PRECALL_NO_KW_TUPLE_1", Opcode::Precall, 1, true);
    t[128] = entry(
        "POP_JUMP_FORWARD_IF_NOT_NONE",
        Opcode::PopJumpForwardIfNotNone,
        0,
        true,
    );
    t[129] = entry(
        "POP_JUMP_FORWARD_IF_NONE",
        Opcode::PopJumpForwardIfNone,
        0,
        true,
    );
    t[130] = entry("RAISE_VARARGS", Opcode::RaiseVarargs, 0, true);
    t[131] = entry("GET_AWAITABLE", Opcode::GetAwaitable, 0, true);
    t[132] = entry("MAKE_FUNCTION", Opcode::MakeFunction, 0, true);
    t[133] = entry("BUILD_SLICE", Opcode::BuildSlice, 0, true);
    t[134] = entry(
        "JUMP_BACKWARD_NO_INTERRUPT",
        Opcode::JumpBackwardNoInterrupt,
        0,
        true,
    );
    t[135] = entry("MAKE_CELL", Opcode::MakeCell, 0, true);
    t[136] = entry("LOAD_CLOSURE", Opcode::LoadClosure, 0, true);
    t[137] = entry("LOAD_DEREF", Opcode::LoadDeref, 0, true);
    t[138] = entry("STORE_DEREF", Opcode::StoreDeref, 0, true);
    t[139] = entry("DELETE_DEREF", Opcode::DeleteDeref, 0, true);
    t[140] = entry("JUMP_BACKWARD", Opcode::JumpBackward, 0, true);
    t[141] = entry("PRECALL_NO_KW_TYPE_1", Opcode::Precall, 1, true);
    t[142] = entry("CALL_FUNCTION_EX", Opcode::CallFunctionEx, 0, true);
    t[143] = entry("PRECALL_PYFUNC", Opcode::Precall, 1, true);
    t[144] = entry("EXTENDED_ARG", Opcode::ExtendedArg, 0, true);
    t[145] = entry("LIST_APPEND", Opcode::ListAppend, 0, true);
    t[146] = entry("SET_ADD", Opcode::SetAdd, 0, true);
    t[147] = entry("MAP_ADD", Opcode::MapAdd, 0, true);
    t[148] = entry("LOAD_CLASSDEREF", Opcode::LoadClassderef, 0, true);
    t[149] = entry("COPY_FREE_VARS", Opcode::CopyFreeVars, 0, true);
    t[150] = entry("RESUME_QUICK", Opcode::Resume, 0, true);
    t[151] = entry("RESUME", Opcode::Resume, 0, true);
    t[152] = entry("MATCH_CLASS", Opcode::MatchClass, 0, true);
    t[153] = entry("STORE_ATTR_ADAPTIVE", Opcode::StoreAttr, 4, true);
    t[154] = entry("STORE_ATTR_INSTANCE_VALUE", Opcode::StoreAttr, 4, true);
    t[155] = entry("FORMAT_VALUE", Opcode::FormatValue, 0, true);
    t[156] = entry("BUILD_CONST_KEY_MAP", Opcode::BuildConstKeyMap, 0, true);
    t[157] = entry("BUILD_STRING", Opcode::BuildString, 0, true);
    t[158] = entry("STORE_ATTR_SLOT", Opcode::StoreAttr, 4, true);
    t[159] = entry("STORE_ATTR_WITH_HINT", Opcode::StoreAttr, 4, true);
    t[160] = entry("LOAD_METHOD", Opcode::LoadMethod, 10, true);
    t[161] = entry("STORE_FAST__LOAD_FAST", Opcode::StoreFast, 0, true);
    t[162] = entry("LIST_EXTEND", Opcode::ListExtend, 0, true);
    t[163] = entry("SET_UPDATE", Opcode::SetUpdate, 0, true);
    t[164] = entry("DICT_MERGE", Opcode::DictMerge, 0, true);
    t[165] = entry("DICT_UPDATE", Opcode::DictUpdate, 0, true);
    t[166] = entry("PRECALL", Opcode::Precall, 1, true);
    t[167] = entry("STORE_FAST__STORE_FAST", Opcode::StoreFast, 0, true);
    t[168] = entry("STORE_SUBSCR_ADAPTIVE", Opcode::StoreSubscr, 1, false);
    t[169] = entry("STORE_SUBSCR_DICT", Opcode::StoreSubscr, 1, false);
    t[170] = entry("STORE_SUBSCR_LIST_INT", Opcode::StoreSubscr, 1, false);
    t[171] = entry("CALL", Opcode::Call, 4, true);
    t[172] = entry("KW_NAMES", Opcode::KwNames, 0, true);
    t[173] = entry(
        "POP_JUMP_BACKWARD_IF_NOT_NONE",
        Opcode::PopJumpBackwardIfNotNone,
        0,
        true,
    );
    t[174] = entry(
        "POP_JUMP_BACKWARD_IF_NONE",
        Opcode::PopJumpBackwardIfNone,
        0,
        true,
    );
    t[175] = entry(
        "POP_JUMP_BACKWARD_IF_FALSE",
        Opcode::PopJumpBackwardIfFalse,
        0,
        true,
    );
    t[176] = entry(
        "POP_JUMP_BACKWARD_IF_TRUE",
        Opcode::PopJumpBackwardIfTrue,
        0,
        true,
    );
    t[177] = entry("UNPACK_SEQUENCE_ADAPTIVE", Opcode::UnpackSequence, 1, true);
    t[178] = entry("UNPACK_SEQUENCE_LIST", Opcode::UnpackSequence, 1, true);
    t[179] = entry("UNPACK_SEQUENCE_TUPLE", Opcode::UnpackSequence, 1, true);
    t[180] = entry("UNPACK_SEQUENCE_TWO_TUPLE", Opcode::UnpackSequence, 1, true);
    t
};

/// CPython 3.12, indexed by opcode byte.
pub(super) static PY312: [Option<Entry>; 256] = {
    let mut t = [None; 256];
    t[0] = entry("CACHE", Opcode::Cache, 0, false);
    t[1] = entry("POP_TOP", Opcode::PopTop, 0, false);
    t[2] = entry("PUSH_NULL", Opcode::PushNull, 0, false);
    t[3] = entry("INTERPRETER_EXIT", Opcode::InterpreterExit, 0, false);
    t[4] = entry("END_FOR", Opcode::EndFor, 0, false);
    t[5] = entry("END_SEND", Opcode::EndSend, 0, false);
    t[6] = entry("BINARY_OP_ADD_FLOAT", Opcode::BinaryOp, 1, true);
    t[7] = entry("BINARY_OP_ADD_INT", Opcode::BinaryOp, 1, true);
    t[8] = entry("BINARY_OP_ADD_UNICODE", Opcode::BinaryOp, 1, true);
    t[9] = entry("NOP", Opcode::Nop, 0, false);
    t[10] = entry("BINARY_OP_INPLACE_ADD_UNICODE", Opcode::BinaryOp, 1, true);
    t[11] = entry("UNARY_NEGATIVE", Opcode::UnaryNegative, 0, false);
    t[12] = entry("UNARY_NOT", Opcode::UnaryNot, 0, false);
    t[13] = entry("BINARY_OP_MULTIPLY_FLOAT", Opcode::BinaryOp, 1, true);
    t[14] = entry("BINARY_OP_MULTIPLY_INT", Opcode::BinaryOp, 1, true);
    t[15] = entry("UNARY_INVERT", Opcode::UnaryInvert, 0, false);
    t[16] = entry("BINARY_OP_SUBTRACT_FLOAT", Opcode::BinaryOp, 1, true);
    t[17] = entry("RESERVED", Opcode::Reserved, 0, false);
    t[18] = entry("BINARY_OP_SUBTRACT_INT", Opcode::BinaryOp, 1, true);
    t[19] = entry("BINARY_SUBSCR_DICT", Opcode::BinarySubscr, 1, false);
    t[20] = entry("BINARY_SUBSCR_GETITEM", Opcode::BinarySubscr, 1, false);
    t[21] = entry("BINARY_SUBSCR_LIST_INT", Opcode::BinarySubscr, 1, false);
    t[22] = entry("BINARY_SUBSCR_TUPLE_INT", Opcode::BinarySubscr, 1, false);
    t[23] = entry("CALL_PY_EXACT_ARGS", Opcode::Call, 3, true);
    t[24] = entry("CALL_PY_WITH_DEFAULTS", Opcode::Call, 3, true);
    t[25] = entry("BINARY_SUBSCR", Opcode::BinarySubscr, 1, false);
    t[26] = entry("BINARY_SLICE", Opcode::BinarySlice, 0, false);
    t[27] = entry("STORE_SLICE", Opcode::StoreSlice, 0, false);
    t[28] = entry("CALL_BOUND_METHOD_EXACT_ARGS", Opcode::Call, 3, true);
    t[29] = entry("CALL_BUILTIN_CLASS", Opcode::Call, 3, true);
    t[30] = entry("GET_LEN", Opcode::GetLen, 0, false);
    t[31] = entry("MATCH_MAPPING", Opcode::MatchMapping, 0, false);
    t[32] = entry("MATCH_SEQUENCE", Opcode::MatchSequence, 0, false);
    t[33] = entry("MATCH_KEYS", Opcode::MatchKeys, 0, false);
    t[34] = entry("CALL_BUILTIN_FAST_WITH_KEYWORDS", Opcode::Call, 3, true);
    t[35] = entry("PUSH_EXC_INFO", Opcode::PushExcInfo, 0, false);
    t[36] = entry("CHECK_EXC_MATCH", Opcode::CheckExcMatch, 0, false);
    t[37] = entry("CHECK_EG_MATCH", Opcode::CheckEgMatch, 0, false);
    t[38] = entry(
        "CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS",
        Opcode::Call,
        3,
        true,
    );
    t[39] = entry("CALL_NO_KW_BUILTIN_FAST", Opcode::Call, 3, true);
    t[40] = entry("CALL_NO_KW_BUILTIN_O", Opcode::Call, 3, true);
    t[41] = entry("CALL_NO_KW_ISINSTANCE", Opcode::Call, 3, true);
    t[42] = entry("CALL_NO_KW_LEN", Opcode::Call, 3, true);
    t[43] = entry("CALL_NO_KW_LIST_APPEND", Opcode::Call, 3, true);
    t[44] = entry("CALL_NO_KW_METHOD_DESCRIPTOR_FAST", Opcode::Call, 3, true);
    t[45] = entry("CALL_NO_KW_METHOD_DESCRIPTOR_NOARGS", Opcode::Call, 3, true);
    t[46] = entry("CALL_NO_KW_METHOD_DESCRIPTOR_O", Opcode::Call, 3, true);
    t[47] = entry("CALL_NO_KW_STR_1", Opcode::Call, 3, true);
    t[48] = entry("CALL_NO_KW_TUPLE_1", Opcode::Call, 3, true);
    t[49] = entry("WITH_EXCEPT_START", Opcode::WithExceptStart, 0, false);
    t[50] = entry("GET_AITER", Opcode::GetAiter, 0, false);
    t[51] = entry("GET_ANEXT", Opcode::GetAnext, 0, false);
    t[52] = entry("BEFORE_ASYNC_WITH", Opcode::BeforeAsyncWith, 0, false);
    t[53] = entry("BEFORE_WITH", Opcode::BeforeWith, 0, false);
    t[54] = entry("END_ASYNC_FOR", Opcode::EndAsyncFor, 0, false);
    t[55] = entry("CLEANUP_THROW", Opcode::CleanupThrow, 0, false);
    t[56] = entry("CALL_NO_KW_TYPE_1", Opcode::Call, 3, true);
    t[57] = entry("COMPARE_OP_FLOAT", Opcode::CompareOp, 1, true);
    t[58] = entry("COMPARE_OP_INT", Opcode::CompareOp, 1, true);
    t[59] = entry("COMPARE_OP_STR", Opcode::CompareOp, 1, true);
    t[60] = entry("STORE_SUBSCR", Opcode::StoreSubscr, 1, false);
    t[61] = entry("DELETE_SUBSCR", Opcode::DeleteSubscr, 0, false);
    t[62] = entry("FOR_ITER_LIST", Opcode::ForIter, 1, true);
    t[63] = entry("FOR_ITER_TUPLE", Opcode::ForIter, 1, true);
    t[64] = entry("FOR_ITER_RANGE", Opcode::ForIter, 1, true);
    t[65] = entry("FOR_ITER_GEN", Opcode::ForIter, 1, true);
    t[66] = entry("LOAD_SUPER_ATTR_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[67] = entry("LOAD_SUPER_ATTR_METHOD", Opcode::LoadSuperAttr, 1, true);
    t[68] = entry("GET_ITER", Opcode::GetIter, 0, false);
    t[69] = entry("GET_YIELD_FROM_ITER", Opcode::GetYieldFromIter, 0, false);
    t[70] = entry("LOAD_ATTR_CLASS", Opcode::LoadAttr, 9, true);
    t[71] = entry("LOAD_BUILD_CLASS", Opcode::LoadBuildClass, 0, false);
    t[72] = entry(
        "LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[73] = entry("LOAD_ATTR_INSTANCE_VALUE", Opcode::LoadAttr, 9, true);
    t[74] = entry("LOAD_ASSERTION_ERROR", Opcode::LoadAssertionError, 0, false);
    t[75] = entry("RETURN_GENERATOR", Opcode::ReturnGenerator, 0, false);
    t[76] = entry("LOAD_ATTR_MODULE", Opcode::LoadAttr, 9, true);
    t[77] = entry("LOAD_ATTR_PROPERTY", Opcode::LoadAttr, 9, true);
    t[78] = entry("LOAD_ATTR_SLOT", Opcode::LoadAttr, 9, true);
    t[79] = entry("LOAD_ATTR_WITH_HINT", Opcode::LoadAttr, 9, true);
    t[80] = entry("LOAD_ATTR_METHOD_LAZY_DICT", Opcode::LoadAttr, 9, true);
    t[81] = entry("LOAD_ATTR_METHOD_NO_DICT", Opcode::LoadAttr, 9, true);
    t[82] = entry("LOAD_ATTR_METHOD_WITH_VALUES", Opcode::LoadAttr, 9, true);
    t[83] = entry("RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[84] = entry("LOAD_CONST__LOAD_FAST", Opcode::LoadConst, 0, true);
    t[85] = entry("SETUP_ANNOTATIONS", Opcode::SetupAnnotations, 0, false);
    t[86] = entry("LOAD_FAST__LOAD_CONST", Opcode::LoadFast, 0, true);
    t[87] = entry("LOAD_LOCALS", Opcode::LoadLocals, 0, false);
    t[88] = entry("LOAD_FAST__LOAD_FAST", Opcode::LoadFast, 0, true);
    t[89] = entry("POP_EXCEPT", Opcode::PopExcept, 0, false);
    t[90] = entry("STORE_NAME", Opcode::StoreName, 0, true);
    t[91] = entry("DELETE_NAME", Opcode::DeleteName, 0, true);
    t[92] = entry("UNPACK_SEQUENCE", Opcode::UnpackSequence, 1, true);
    t[93] = entry("FOR_ITER", Opcode::ForIter, 1, true);
    t[94] = entry("UNPACK_EX", Opcode::UnpackEx, 0, true);
    t[95] = entry("STORE_ATTR", Opcode::StoreAttr, 4, true);
    t[96] = entry("DELETE_ATTR", Opcode::DeleteAttr, 0, true);
    t[97] = entry("STORE_GLOBAL", Opcode::StoreGlobal, 0, true);
    t[98] = entry("DELETE_GLOBAL", Opcode::DeleteGlobal, 0, true);
    t[99] = entry("SWAP", Opcode::Swap, 0, true);
    t[100] = entry("LOAD_CONST", Opcode::LoadConst, 0, true);
    t[101] = entry("LOAD_NAME", Opcode::LoadName, 0, true);
    t[102] = entry("BUILD_TUPLE", Opcode::BuildTuple, 0, true);
    t[103] = entry("BUILD_LIST", Opcode::BuildList, 0, true);
    t[104] = entry("BUILD_SET", Opcode::BuildSet, 0, true);
    t[105] = entry("BUILD_MAP", Opcode::BuildMap, 0, true);
    t[106] = entry("LOAD_ATTR", Opcode::LoadAttr, 9, true);
    t[107] = entry("COMPARE_OP", Opcode::CompareOp, 1, true);
    t[108] = entry("IMPORT_NAME", Opcode::ImportName, 0, true);
    t[109] = entry("IMPORT_FROM", Opcode::ImportFrom, 0, true);
    t[110] = entry("JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[111] = entry("LOAD_GLOBAL_BUILTIN", Opcode::LoadGlobal, 4, true);
    t[112] = entry("LOAD_GLOBAL_MODULE", Opcode::LoadGlobal, 4, true);
    t[113] = entry("STORE_ATTR_INSTANCE_VALUE", Opcode::StoreAttr, 4, true);
    t[114] = entry("POP_JUMP_IF_FALSE", Opcode::PopJumpIfFalse, 0, true);
    t[115] = entry("POP_JUMP_IF_TRUE", Opcode::PopJumpIfTrue, 0, true);
    t[116] = entry("LOAD_GLOBAL", Opcode::LoadGlobal, 4, true);
    t[117] = entry("IS_OP", Opcode::IsOp, 0, true);
    t[118] = entry("CONTAINS_OP", Opcode::ContainsOp, 0, true);
    t[119] = entry("RERAISE", Opcode::Reraise, 0, true);
    t[120] = entry("COPY", Opcode::Copy, 0, true);
    t[121] = entry("RETURN_CONST", Opcode::ReturnConst, 0, true);
    t[122] = entry("BINARY_OP", Opcode::BinaryOp, 1, true);
    t[123] = entry("SEND", Opcode::Send, 1, true);
    t[124] = entry("LOAD_FAST", Opcode::LoadFast, 0, true);
    t[125] = entry("STORE_FAST", Opcode::StoreFast, 0, true);
    t[126] = entry("DELETE_FAST", Opcode::DeleteFast, 0, true);
    t[127] = entry("LOAD_FAST_CHECK", Opcode::LoadFastCheck, 0, true);
    t[128] = entry("POP_JUMP_IF_NOT_NONE", Opcode::PopJumpIfNotNone, 0, true);
    t[129] = entry("POP_JUMP_IF_NONE", Opcode::PopJumpIfNone, 0, true);
    t[130] = entry("RAISE_VARARGS", Opcode::RaiseVarargs, 0, true);
    t[131] = entry("GET_AWAITABLE", Opcode::GetAwaitable, 0, true);
    t[132] = entry("MAKE_FUNCTION", Opcode::MakeFunction, 0, true);
    t[133] = entry("BUILD_SLICE", Opcode::BuildSlice, 0, true);
    t[134] = entry(
        "JUMP_BACKWARD_NO_INTERRUPT",
        Opcode::JumpBackwardNoInterrupt,
        0,
        true,
    );
    t[135] = entry("MAKE_CELL", Opcode::MakeCell, 0, true);
    t[136] = entry("LOAD_CLOSURE", Opcode::LoadClosure, 0, true);
    t[137] = entry("LOAD_DEREF", Opcode::LoadDeref, 0, true);
    t[138] = entry("STORE_DEREF", Opcode::StoreDeref, 0, true);
    t[139] = entry("DELETE_DEREF", Opcode::DeleteDeref, 0, true);
    t[140] = entry("JUMP_BACKWARD", Opcode::JumpBackward, 0, true);
    t[141] = entry("LOAD_SUPER_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[142] = entry("CALL_FUNCTION_EX", Opcode::CallFunctionEx, 0, true);
    t[143] = entry("LOAD_FAST_AND_CLEAR", Opcode::LoadFastAndClear, 0, true);
    t[144] = entry("EXTENDED_ARG", Opcode::ExtendedArg, 0, true);
    t[145] = entry("LIST_APPEND", Opcode::ListAppend, 0, true);
    t[146] = entry("SET_ADD", Opcode::SetAdd, 0, true);
    t[147] = entry("MAP_ADD", Opcode::MapAdd, 0, true);
    t[148] = entry("STORE_ATTR_SLOT", Opcode::StoreAttr, 4, true);
    t[149] = entry("COPY_FREE_VARS", Opcode::CopyFreeVars, 0, true);
    t[150] = entry("YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[151] = entry("RESUME", Opcode::Resume, 0, true);
    t[152] = entry("MATCH_CLASS", Opcode::MatchClass, 0, true);
    t[153] = entry("STORE_ATTR_WITH_HINT", Opcode::StoreAttr, 4, true);
    t[154] = entry("STORE_FAST__LOAD_FAST", Opcode::StoreFast, 0, true);
    t[155] = entry("FORMAT_VALUE", Opcode::FormatValue, 0, true);
    t[156] = entry("BUILD_CONST_KEY_MAP", Opcode::BuildConstKeyMap, 0, true);
    t[157] = entry("BUILD_STRING", Opcode::BuildString, 0, true);
    t[158] = entry("STORE_FAST__STORE_FAST", Opcode::StoreFast, 0, true);
    t[159] = entry("STORE_SUBSCR_DICT", Opcode::StoreSubscr, 1, false);
    t[160] = entry("STORE_SUBSCR_LIST_INT", Opcode::StoreSubscr, 1, false);
    t[161] = entry("UNPACK_SEQUENCE_LIST", Opcode::UnpackSequence, 1, true);
    t[162] = entry("LIST_EXTEND", Opcode::ListExtend, 0, true);
    t[163] = entry("SET_UPDATE", Opcode::SetUpdate, 0, true);
    t[164] = entry("DICT_MERGE", Opcode::DictMerge, 0, true);
    t[165] = entry("DICT_UPDATE", Opcode::DictUpdate, 0, true);
    t[166] = entry("UNPACK_SEQUENCE_TUPLE", Opcode::UnpackSequence, 1, true);
    t[167] = entry("UNPACK_SEQUENCE_TWO_TUPLE", Opcode::UnpackSequence, 1, true);
    t[168] = entry("SEND_GEN", Opcode::Send, 1, true);
    t[171] = entry("CALL", Opcode::Call, 3, true);
    t[172] = entry("KW_NAMES", Opcode::KwNames, 0, true);
    t[173] = entry("CALL_INTRINSIC_1", Opcode::CallIntrinsic1, 0, true);
    t[174] = entry("CALL_INTRINSIC_2", Opcode::CallIntrinsic2, 0, true);
    t[175] = entry(
        "LOAD_FROM_DICT_OR_GLOBALS",
        Opcode::LoadFromDictOrGlobals,
        0,
        true,
    );
    t[176] = entry(
        "LOAD_FROM_DICT_OR_DEREF",
        Opcode::LoadFromDictOrDeref,
        0,
        true,
    );
    t[237] = entry(
        "INSTRUMENTED_LOAD_SUPER_ATTR",
        Opcode::LoadSuperAttr,
        1,
        true,
    );
    t[238] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NONE",
        Opcode::PopJumpIfNone,
        0,
        true,
    );
    t[239] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NOT_NONE",
        Opcode::PopJumpIfNotNone,
        0,
        true,
    );
    t[240] = entry("INSTRUMENTED_RESUME", Opcode::Resume, 0, true);
    t[241] = entry("INSTRUMENTED_CALL", Opcode::Call, 3, true);
    t[242] = entry("INSTRUMENTED_RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[243] = entry("INSTRUMENTED_YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[244] = entry(
        "INSTRUMENTED_CALL_FUNCTION_EX",
        Opcode::CallFunctionEx,
        0,
        true,
    );
    t[245] = entry("INSTRUMENTED_JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[246] = entry("INSTRUMENTED_JUMP_BACKWARD", Opcode::JumpBackward, 0, true);
    t[247] = entry("INSTRUMENTED_RETURN_CONST", Opcode::ReturnConst, 0, true);
    t[248] = entry("INSTRUMENTED_FOR_ITER", Opcode::ForIter, 1, true);
    t[249] = entry(
        "INSTRUMENTED_POP_JUMP_IF_FALSE",
        Opcode::PopJumpIfFalse,
        0,
        true,
    );
    t[250] = entry(
        "INSTRUMENTED_POP_JUMP_IF_TRUE",
        Opcode::PopJumpIfTrue,
        0,
        true,
    );
    t[251] = entry("INSTRUMENTED_END_FOR", Opcode::EndFor, 0, false);
    t[252] = entry("INSTRUMENTED_END_SEND", Opcode::EndSend, 0, false);
    t[253] = entry(
        "INSTRUMENTED_INSTRUCTION",
        Opcode::InstrumentedInstruction,
        0,
        true,
    );
    t[254] = entry("INSTRUMENTED_LINE", Opcode::InstrumentedLine, 0, true);
    t
};

/// CPython 3.13, indexed by opcode byte.
pub(super) static PY313: [Option<Entry>; 256] = {
    let mut t = [None; 256];
    t[0] = entry("CACHE", Opcode::Cache, 0, false);
    t[1] = entry("BEFORE_ASYNC_WITH", Opcode::BeforeAsyncWith, 0, false);
    t[2] = entry("BEFORE_WITH", Opcode::BeforeWith, 0, false);
    t[3] = entry("BINARY_OP_INPLACE_ADD_UNICODE", Opcode::BinaryOp, 1, true);
    t[4] = entry("BINARY_SLICE", Opcode::BinarySlice, 0, false);
    t[5] = entry("BINARY_SUBSCR", Opcode::BinarySubscr, 1, false);
    t[6] = entry("CHECK_EG_MATCH", Opcode::CheckEgMatch, 0, false);
    t[7] = entry("CHECK_EXC_MATCH", Opcode::CheckExcMatch, 0, false);
    t[8] = entry("CLEANUP_THROW", Opcode::CleanupThrow, 0, false);
    t[9] = entry("DELETE_SUBSCR", Opcode::DeleteSubscr, 0, false);
    t[10] = entry("END_ASYNC_FOR", Opcode::EndAsyncFor, 0, false);
    t[11] = entry("END_FOR", Opcode::EndFor, 0, false);
    t[12] = entry("END_SEND", Opcode::EndSend, 0, false);
    t[13] = entry("EXIT_INIT_CHECK", Opcode::ExitInitCheck, 0, false);
    t[14] = entry("FORMAT_SIMPLE", Opcode::FormatSimple, 0, false);
    t[15] = entry("FORMAT_WITH_SPEC", Opcode::FormatWithSpec, 0, false);
    t[16] = entry("GET_AITER", Opcode::GetAiter, 0, false);
    t[17] = entry("RESERVED", Opcode::Reserved, 0, false);
    t[18] = entry("GET_ANEXT", Opcode::GetAnext, 0, false);
    t[19] = entry("GET_ITER", Opcode::GetIter, 0, false);
    t[20] = entry("GET_LEN", Opcode::GetLen, 0, false);
    t[21] = entry("GET_YIELD_FROM_ITER", Opcode::GetYieldFromIter, 0, false);
    t[22] = entry("INTERPRETER_EXIT", Opcode::InterpreterExit, 0, false);
    t[23] = entry("LOAD_ASSERTION_ERROR", Opcode::LoadAssertionError, 0, false);
    t[24] = entry("LOAD_BUILD_CLASS", Opcode::LoadBuildClass, 0, false);
    t[25] = entry("LOAD_LOCALS", Opcode::LoadLocals, 0, false);
    t[26] = entry("MAKE_FUNCTION", Opcode::MakeFunction, 0, false);
    t[27] = entry("MATCH_KEYS", Opcode::MatchKeys, 0, false);
    t[28] = entry("MATCH_MAPPING", Opcode::MatchMapping, 0, false);
    t[29] = entry("MATCH_SEQUENCE", Opcode::MatchSequence, 0, false);
    t[30] = entry("NOP", Opcode::Nop, 0, false);
    t[31] = entry("POP_EXCEPT", Opcode::PopExcept, 0, false);
    t[32] = entry("POP_TOP", Opcode::PopTop, 0, false);
    t[33] = entry("PUSH_EXC_INFO", Opcode::PushExcInfo, 0, false);
    t[34] = entry("PUSH_NULL", Opcode::PushNull, 0, false);
    t[35] = entry("RETURN_GENERATOR", Opcode::ReturnGenerator, 0, false);
    t[36] = entry("RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[37] = entry("SETUP_ANNOTATIONS", Opcode::SetupAnnotations, 0, false);
    t[38] = entry("STORE_SLICE", Opcode::StoreSlice, 0, false);
    t[39] = entry("STORE_SUBSCR", Opcode::StoreSubscr, 1, false);
    t[40] = entry("TO_BOOL", Opcode::ToBool, 3, false);
    t[41] = entry("UNARY_INVERT", Opcode::UnaryInvert, 0, false);
    t[42] = entry("UNARY_NEGATIVE", Opcode::UnaryNegative, 0, false);
    t[43] = entry("UNARY_NOT", Opcode::UnaryNot, 0, false);
    t[44] = entry("WITH_EXCEPT_START", Opcode::WithExceptStart, 0, false);
    t[45] = entry("BINARY_OP", Opcode::BinaryOp, 1, true);
    t[46] = entry("BUILD_CONST_KEY_MAP", Opcode::BuildConstKeyMap, 0, true);
    t[47] = entry("BUILD_LIST", Opcode::BuildList, 0, true);
    t[48] = entry("BUILD_MAP", Opcode::BuildMap, 0, true);
    t[49] = entry("BUILD_SET", Opcode::BuildSet, 0, true);
    t[50] = entry("BUILD_SLICE", Opcode::BuildSlice, 0, true);
    t[51] = entry("BUILD_STRING", Opcode::BuildString, 0, true);
    t[52] = entry("BUILD_TUPLE", Opcode::BuildTuple, 0, true);
    t[53] = entry("CALL", Opcode::Call, 3, true);
    t[54] = entry("CALL_FUNCTION_EX", Opcode::CallFunctionEx, 0, true);
    t[55] = entry("CALL_INTRINSIC_1", Opcode::CallIntrinsic1, 0, true);
    t[56] = entry("CALL_INTRINSIC_2", Opcode::CallIntrinsic2, 0, true);
    t[57] = entry("CALL_KW", Opcode::CallKw, 0, true);
    t[58] = entry("COMPARE_OP", Opcode::CompareOp, 1, true);
    t[59] = entry("CONTAINS_OP", Opcode::ContainsOp, 1, true);
    t[60] = entry("CONVERT_VALUE", Opcode::ConvertValue, 0, true);
    t[61] = entry("COPY", Opcode::Copy, 0, true);
    t[62] = entry("COPY_FREE_VARS", Opcode::CopyFreeVars, 0, true);
    t[63] = entry("DELETE_ATTR", Opcode::DeleteAttr, 0, true);
    t[64] = entry("DELETE_DEREF", Opcode::DeleteDeref, 0, true);
    t[65] = entry("DELETE_FAST", Opcode::DeleteFast, 0, true);
    t[66] = entry("DELETE_GLOBAL", Opcode::DeleteGlobal, 0, true);
    t[67] = entry("DELETE_NAME", Opcode::DeleteName, 0, true);
    t[68] = entry("DICT_MERGE", Opcode::DictMerge, 0, true);
    t[69] = entry("DICT_UPDATE", Opcode::DictUpdate, 0, true);
    t[70] = entry("ENTER_EXECUTOR", Opcode::EnterExecutor, 0, true);
    t[71] = entry("EXTENDED_ARG", Opcode::ExtendedArg, 0, true);
    t[72] = entry("FOR_ITER", Opcode::ForIter, 1, true);
    t[73] = entry("GET_AWAITABLE", Opcode::GetAwaitable, 0, true);
    t[74] = entry("IMPORT_FROM", Opcode::ImportFrom, 0, true);
    t[75] = entry("IMPORT_NAME", Opcode::ImportName, 0, true);
    t[76] = entry("IS_OP", Opcode::IsOp, 0, true);
    t[77] = entry("JUMP_BACKWARD", Opcode::JumpBackward, 1, true);
    t[78] = entry(
        "JUMP_BACKWARD_NO_INTERRUPT",
        Opcode::JumpBackwardNoInterrupt,
        0,
        true,
    );
    t[79] = entry("JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[80] = entry("LIST_APPEND", Opcode::ListAppend, 0, true);
    t[81] = entry("LIST_EXTEND", Opcode::ListExtend, 0, true);
    t[82] = entry("LOAD_ATTR", Opcode::LoadAttr, 9, true);
    t[83] = entry("LOAD_CONST", Opcode::LoadConst, 0, true);
    t[84] = entry("LOAD_DEREF", Opcode::LoadDeref, 0, true);
    t[85] = entry("LOAD_FAST", Opcode::LoadFast, 0, true);
    t[86] = entry("LOAD_FAST_AND_CLEAR", Opcode::LoadFastAndClear, 0, true);
    t[87] = entry("LOAD_FAST_CHECK", Opcode::LoadFastCheck, 0, true);
    t[88] = entry("LOAD_FAST_LOAD_FAST", Opcode::LoadFastLoadFast, 0, true);
    t[89] = entry(
        "LOAD_FROM_DICT_OR_DEREF",
        Opcode::LoadFromDictOrDeref,
        0,
        true,
    );
    t[90] = entry(
        "LOAD_FROM_DICT_OR_GLOBALS",
        Opcode::LoadFromDictOrGlobals,
        0,
        true,
    );
    t[91] = entry("LOAD_GLOBAL", Opcode::LoadGlobal, 4, true);
    t[92] = entry("LOAD_NAME", Opcode::LoadName, 0, true);
    t[93] = entry("LOAD_SUPER_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[94] = entry("MAKE_CELL", Opcode::MakeCell, 0, true);
    t[95] = entry("MAP_ADD", Opcode::MapAdd, 0, true);
    t[96] = entry("MATCH_CLASS", Opcode::MatchClass, 0, true);
    t[97] = entry("POP_JUMP_IF_FALSE", Opcode::PopJumpIfFalse, 1, true);
    t[98] = entry("POP_JUMP_IF_NONE", Opcode::PopJumpIfNone, 1, true);
    t[99] = entry("POP_JUMP_IF_NOT_NONE", Opcode::PopJumpIfNotNone, 1, true);
    t[100] = entry("POP_JUMP_IF_TRUE", Opcode::PopJumpIfTrue, 1, true);
    t[101] = entry("RAISE_VARARGS", Opcode::RaiseVarargs, 0, true);
    t[102] = entry("RERAISE", Opcode::Reraise, 0, true);
    t[103] = entry("RETURN_CONST", Opcode::ReturnConst, 0, true);
    t[104] = entry("SEND", Opcode::Send, 1, true);
    t[105] = entry("SET_ADD", Opcode::SetAdd, 0, true);
    t[106] = entry(
        "SET_FUNCTION_ATTRIBUTE",
        Opcode::SetFunctionAttribute,
        0,
        true,
    );
    t[107] = entry("SET_UPDATE", Opcode::SetUpdate, 0, true);
    t[108] = entry("STORE_ATTR", Opcode::StoreAttr, 4, true);
    t[109] = entry("STORE_DEREF", Opcode::StoreDeref, 0, true);
    t[110] = entry("STORE_FAST", Opcode::StoreFast, 0, true);
    t[111] = entry("STORE_FAST_LOAD_FAST", Opcode::StoreFastLoadFast, 0, true);
    t[112] = entry("STORE_FAST_STORE_FAST", Opcode::StoreFastStoreFast, 0, true);
    t[113] = entry("STORE_GLOBAL", Opcode::StoreGlobal, 0, true);
    t[114] = entry("STORE_NAME", Opcode::StoreName, 0, true);
    t[115] = entry("SWAP", Opcode::Swap, 0, true);
    t[116] = entry("UNPACK_EX", Opcode::UnpackEx, 0, true);
    t[117] = entry("UNPACK_SEQUENCE", Opcode::UnpackSequence, 1, true);
    t[118] = entry("YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[149] = entry("RESUME", Opcode::Resume, 0, true);
    t[150] = entry("BINARY_OP_ADD_FLOAT", Opcode::BinaryOp, 1, true);
    t[151] = entry("BINARY_OP_ADD_INT", Opcode::BinaryOp, 1, true);
    t[152] = entry("BINARY_OP_ADD_UNICODE", Opcode::BinaryOp, 1, true);
    t[153] = entry("BINARY_OP_MULTIPLY_FLOAT", Opcode::BinaryOp, 1, true);
    t[154] = entry("BINARY_OP_MULTIPLY_INT", Opcode::BinaryOp, 1, true);
    t[155] = entry("BINARY_OP_SUBTRACT_FLOAT", Opcode::BinaryOp, 1, true);
    t[156] = entry("BINARY_OP_SUBTRACT_INT", Opcode::BinaryOp, 1, true);
    t[157] = entry("BINARY_SUBSCR_DICT", Opcode::BinarySubscr, 1, false);
    t[158] = entry("BINARY_SUBSCR_GETITEM", Opcode::BinarySubscr, 1, false);
    t[159] = entry("BINARY_SUBSCR_LIST_INT", Opcode::BinarySubscr, 1, false);
    t[160] = entry("BINARY_SUBSCR_STR_INT", Opcode::BinarySubscr, 1, false);
    t[161] = entry("BINARY_SUBSCR_TUPLE_INT", Opcode::BinarySubscr, 1, false);
    t[162] = entry("CALL_ALLOC_AND_ENTER_INIT", Opcode::Call, 3, true);
    t[163] = entry("CALL_BOUND_METHOD_EXACT_ARGS", Opcode::Call, 3, true);
    t[164] = entry("CALL_BOUND_METHOD_GENERAL", Opcode::Call, 3, true);
    t[165] = entry("CALL_BUILTIN_CLASS", Opcode::Call, 3, true);
    t[166] = entry("CALL_BUILTIN_FAST", Opcode::Call, 3, true);
    t[167] = entry("CALL_BUILTIN_FAST_WITH_KEYWORDS", Opcode::Call, 3, true);
    t[168] = entry("CALL_BUILTIN_O", Opcode::Call, 3, true);
    t[169] = entry("CALL_ISINSTANCE", Opcode::Call, 3, true);
    t[170] = entry("CALL_LEN", Opcode::Call, 3, true);
    t[171] = entry("CALL_LIST_APPEND", Opcode::Call, 3, true);
    t[172] = entry("CALL_METHOD_DESCRIPTOR_FAST", Opcode::Call, 3, true);
    t[173] = entry(
        "CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS",
        Opcode::Call,
        3,
        true,
    );
    t[174] = entry("CALL_METHOD_DESCRIPTOR_NOARGS", Opcode::Call, 3, true);
    t[175] = entry("CALL_METHOD_DESCRIPTOR_O", Opcode::Call, 3, true);
    t[176] = entry("CALL_NON_PY_GENERAL", Opcode::Call, 3, true);
    t[177] = entry("CALL_PY_EXACT_ARGS", Opcode::Call, 3, true);
    t[178] = entry("CALL_PY_GENERAL", Opcode::Call, 3, true);
    t[179] = entry("CALL_STR_1", Opcode::Call, 3, true);
    t[180] = entry("CALL_TUPLE_1", Opcode::Call, 3, true);
    t[181] = entry("CALL_TYPE_1", Opcode::Call, 3, true);
    t[182] = entry("COMPARE_OP_FLOAT", Opcode::CompareOp, 1, true);
    t[183] = entry("COMPARE_OP_INT", Opcode::CompareOp, 1, true);
    t[184] = entry("COMPARE_OP_STR", Opcode::CompareOp, 1, true);
    t[185] = entry("CONTAINS_OP_DICT", Opcode::ContainsOp, 1, true);
    t[186] = entry("CONTAINS_OP_SET", Opcode::ContainsOp, 1, true);
    t[187] = entry("FOR_ITER_GEN", Opcode::ForIter, 1, true);
    t[188] = entry("FOR_ITER_LIST", Opcode::ForIter, 1, true);
    t[189] = entry("FOR_ITER_RANGE", Opcode::ForIter, 1, true);
    t[190] = entry("FOR_ITER_TUPLE", Opcode::ForIter, 1, true);
    t[191] = entry("LOAD_ATTR_CLASS", Opcode::LoadAttr, 9, true);
    t[192] = entry(
        "LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[193] = entry("LOAD_ATTR_INSTANCE_VALUE", Opcode::LoadAttr, 9, true);
    t[194] = entry("LOAD_ATTR_METHOD_LAZY_DICT", Opcode::LoadAttr, 9, true);
    t[195] = entry("LOAD_ATTR_METHOD_NO_DICT", Opcode::LoadAttr, 9, true);
    t[196] = entry("LOAD_ATTR_METHOD_WITH_VALUES", Opcode::LoadAttr, 9, true);
    t[197] = entry("LOAD_ATTR_MODULE", Opcode::LoadAttr, 9, true);
    t[198] = entry("LOAD_ATTR_NONDESCRIPTOR_NO_DICT", Opcode::LoadAttr, 9, true);
    t[199] = entry(
        "LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[200] = entry("LOAD_ATTR_PROPERTY", Opcode::LoadAttr, 9, true);
    t[201] = entry("LOAD_ATTR_SLOT", Opcode::LoadAttr, 9, true);
    t[202] = entry("LOAD_ATTR_WITH_HINT", Opcode::LoadAttr, 9, true);
    t[203] = entry("LOAD_GLOBAL_BUILTIN", Opcode::LoadGlobal, 4, true);
    t[204] = entry("LOAD_GLOBAL_MODULE", Opcode::LoadGlobal, 4, true);
    t[205] = entry("LOAD_SUPER_ATTR_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[206] = entry("LOAD_SUPER_ATTR_METHOD", Opcode::LoadSuperAttr, 1, true);
    t[207] = entry("RESUME_CHECK", Opcode::Resume, 0, true);
    t[208] = entry("SEND_GEN", Opcode::Send, 1, true);
    t[209] = entry("STORE_ATTR_INSTANCE_VALUE", Opcode::StoreAttr, 4, true);
    t[210] = entry("STORE_ATTR_SLOT", Opcode::StoreAttr, 4, true);
    t[211] = entry("STORE_ATTR_WITH_HINT", Opcode::StoreAttr, 4, true);
    t[212] = entry("STORE_SUBSCR_DICT", Opcode::StoreSubscr, 1, false);
    t[213] = entry("STORE_SUBSCR_LIST_INT", Opcode::StoreSubscr, 1, false);
    t[214] = entry("TO_BOOL_ALWAYS_TRUE", Opcode::ToBool, 3, false);
    t[215] = entry("TO_BOOL_BOOL", Opcode::ToBool, 3, false);
    t[216] = entry("TO_BOOL_INT", Opcode::ToBool, 3, false);
    t[217] = entry("TO_BOOL_LIST", Opcode::ToBool, 3, false);
    t[218] = entry("TO_BOOL_NONE", Opcode::ToBool, 3, false);
    t[219] = entry("TO_BOOL_STR", Opcode::ToBool, 3, false);
    t[220] = entry("UNPACK_SEQUENCE_LIST", Opcode::UnpackSequence, 1, true);
    t[221] = entry("UNPACK_SEQUENCE_TUPLE", Opcode::UnpackSequence, 1, true);
    t[222] = entry("UNPACK_SEQUENCE_TWO_TUPLE", Opcode::UnpackSequence, 1, true);
    t[236] = entry("INSTRUMENTED_RESUME", Opcode::Resume, 0, true);
    t[237] = entry("INSTRUMENTED_END_FOR", Opcode::EndFor, 0, false);
    t[238] = entry("INSTRUMENTED_END_SEND", Opcode::EndSend, 0, false);
    t[239] = entry("INSTRUMENTED_RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[240] = entry("INSTRUMENTED_RETURN_CONST", Opcode::ReturnConst, 0, true);
    t[241] = entry("INSTRUMENTED_YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[242] = entry(
        "INSTRUMENTED_LOAD_SUPER_ATTR",
        Opcode::LoadSuperAttr,
        1,
        true,
    );
    t[243] = entry("INSTRUMENTED_FOR_ITER", Opcode::ForIter, 1, true);
    t[244] = entry("INSTRUMENTED_CALL", Opcode::Call, 3, true);
    t[245] = entry("INSTRUMENTED_CALL_KW", Opcode::CallKw, 0, true);
    t[246] = entry(
        "INSTRUMENTED_CALL_FUNCTION_EX",
        Opcode::CallFunctionEx,
        0,
        true,
    );
    t[247] = entry(
        "INSTRUMENTED_INSTRUCTION",
        Opcode::InstrumentedInstruction,
        0,
        false,
    );
    t[248] = entry("INSTRUMENTED_JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[249] = entry("INSTRUMENTED_JUMP_BACKWARD", Opcode::JumpBackward, 1, true);
    t[250] = entry(
        "INSTRUMENTED_POP_JUMP_IF_TRUE",
        Opcode::PopJumpIfTrue,
        1,
        true,
    );
    t[251] = entry(
        "INSTRUMENTED_POP_JUMP_IF_FALSE",
        Opcode::PopJumpIfFalse,
        1,
        true,
    );
    t[252] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NONE",
        Opcode::PopJumpIfNone,
        1,
        true,
    );
    t[253] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NOT_NONE",
        Opcode::PopJumpIfNotNone,
        1,
        true,
    );
    t[254] = entry("INSTRUMENTED_LINE", Opcode::InstrumentedLine, 0, false);
    t
};

/// CPython 3.14, indexed by opcode byte.
pub(super) static PY314: [Option<Entry>; 256] = {
    let mut t = [None; 256];
    t[0] = entry("CACHE", Opcode::Cache, 0, false);
    t[1] = entry("BINARY_SLICE", Opcode::BinarySlice, 0, false);
    t[2] = entry("BUILD_TEMPLATE", Opcode::BuildTemplate, 0, false);
    t[3] = entry("BINARY_OP_INPLACE_ADD_UNICODE", Opcode::BinaryOp, 5, true);
    t[4] = entry("CALL_FUNCTION_EX", Opcode::CallFunctionEx, 0, false);
    t[5] = entry("CHECK_EG_MATCH", Opcode::CheckEgMatch, 0, false);
    t[6] = entry("CHECK_EXC_MATCH", Opcode::CheckExcMatch, 0, false);
    t[7] = entry("CLEANUP_THROW", Opcode::CleanupThrow, 0, false);
    t[8] = entry("DELETE_SUBSCR", Opcode::DeleteSubscr, 0, false);
    t[9] = entry("END_FOR", Opcode::EndFor, 0, false);
    t[10] = entry("END_SEND", Opcode::EndSend, 0, false);
    t[11] = entry("EXIT_INIT_CHECK", Opcode::ExitInitCheck, 0, false);
    t[12] = entry("FORMAT_SIMPLE", Opcode::FormatSimple, 0, false);
    t[13] = entry("FORMAT_WITH_SPEC", Opcode::FormatWithSpec, 0, false);
    t[14] = entry("GET_AITER", Opcode::GetAiter, 0, false);
    t[15] = entry("GET_ANEXT", Opcode::GetAnext, 0, false);
    t[16] = entry("GET_ITER", Opcode::GetIter, 0, false);
    t[17] = entry("RESERVED", Opcode::Reserved, 0, false);
    t[18] = entry("GET_LEN", Opcode::GetLen, 0, false);
    t[19] = entry("GET_YIELD_FROM_ITER", Opcode::GetYieldFromIter, 0, false);
    t[20] = entry("INTERPRETER_EXIT", Opcode::InterpreterExit, 0, false);
    t[21] = entry("LOAD_BUILD_CLASS", Opcode::LoadBuildClass, 0, false);
    t[22] = entry("LOAD_LOCALS", Opcode::LoadLocals, 0, false);
    t[23] = entry("MAKE_FUNCTION", Opcode::MakeFunction, 0, false);
    t[24] = entry("MATCH_KEYS", Opcode::MatchKeys, 0, false);
    t[25] = entry("MATCH_MAPPING", Opcode::MatchMapping, 0, false);
    t[26] = entry("MATCH_SEQUENCE", Opcode::MatchSequence, 0, false);
    t[27] = entry("NOP", Opcode::Nop, 0, false);
    t[28] = entry("NOT_TAKEN", Opcode::NotTaken, 0, false);
    t[29] = entry("POP_EXCEPT", Opcode::PopExcept, 0, false);
    t[30] = entry("POP_ITER", Opcode::PopIter, 0, false);
    t[31] = entry("POP_TOP", Opcode::PopTop, 0, false);
    t[32] = entry("PUSH_EXC_INFO", Opcode::PushExcInfo, 0, false);
    t[33] = entry("PUSH_NULL", Opcode::PushNull, 0, false);
    t[34] = entry("RETURN_GENERATOR", Opcode::ReturnGenerator, 0, false);
    t[35] = entry("RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[36] = entry("SETUP_ANNOTATIONS", Opcode::SetupAnnotations, 0, false);
    t[37] = entry("STORE_SLICE", Opcode::StoreSlice, 0, false);
    t[38] = entry("STORE_SUBSCR", Opcode::StoreSubscr, 1, false);
    t[39] = entry("TO_BOOL", Opcode::ToBool, 3, false);
    t[40] = entry("UNARY_INVERT", Opcode::UnaryInvert, 0, false);
    t[41] = entry("UNARY_NEGATIVE", Opcode::UnaryNegative, 0, false);
    t[42] = entry("UNARY_NOT", Opcode::UnaryNot, 0, false);
    t[43] = entry("WITH_EXCEPT_START", Opcode::WithExceptStart, 0, false);
    t[44] = entry("BINARY_OP", Opcode::BinaryOp, 5, true);
    t[45] = entry("BUILD_INTERPOLATION", Opcode::BuildInterpolation, 0, true);
    t[46] = entry("BUILD_LIST", Opcode::BuildList, 0, true);
    t[47] = entry("BUILD_MAP", Opcode::BuildMap, 0, true);
    t[48] = entry("BUILD_SET", Opcode::BuildSet, 0, true);
    t[49] = entry("BUILD_SLICE", Opcode::BuildSlice, 0, true);
    t[50] = entry("BUILD_STRING", Opcode::BuildString, 0, true);
    t[51] = entry("BUILD_TUPLE", Opcode::BuildTuple, 0, true);
    t[52] = entry("CALL", Opcode::Call, 3, true);
    t[53] = entry("CALL_INTRINSIC_1", Opcode::CallIntrinsic1, 0, true);
    t[54] = entry("CALL_INTRINSIC_2", Opcode::CallIntrinsic2, 0, true);
    t[55] = entry("CALL_KW", Opcode::CallKw, 3, true);
    t[56] = entry("COMPARE_OP", Opcode::CompareOp, 1, true);
    t[57] = entry("CONTAINS_OP", Opcode::ContainsOp, 1, true);
    t[58] = entry("CONVERT_VALUE", Opcode::ConvertValue, 0, true);
    t[59] = entry("COPY", Opcode::Copy, 0, true);
    t[60] = entry("COPY_FREE_VARS", Opcode::CopyFreeVars, 0, true);
    t[61] = entry("DELETE_ATTR", Opcode::DeleteAttr, 0, true);
    t[62] = entry("DELETE_DEREF", Opcode::DeleteDeref, 0, true);
    t[63] = entry("DELETE_FAST", Opcode::DeleteFast, 0, true);
    t[64] = entry("DELETE_GLOBAL", Opcode::DeleteGlobal, 0, true);
    t[65] = entry("DELETE_NAME", Opcode::DeleteName, 0, true);
    t[66] = entry("DICT_MERGE", Opcode::DictMerge, 0, true);
    t[67] = entry("DICT_UPDATE", Opcode::DictUpdate, 0, true);
    t[68] = entry("END_ASYNC_FOR", Opcode::EndAsyncFor, 0, true);
    t[69] = entry("EXTENDED_ARG", Opcode::ExtendedArg, 0, true);
    t[70] = entry("FOR_ITER", Opcode::ForIter, 1, true);
    t[71] = entry("GET_AWAITABLE", Opcode::GetAwaitable, 0, true);
    t[72] = entry("IMPORT_FROM", Opcode::ImportFrom, 0, true);
    t[73] = entry("IMPORT_NAME", Opcode::ImportName, 0, true);
    t[74] = entry("IS_OP", Opcode::IsOp, 0, true);
    t[75] = entry("JUMP_BACKWARD", Opcode::JumpBackward, 1, true);
    t[76] = entry(
        "JUMP_BACKWARD_NO_INTERRUPT",
        Opcode::JumpBackwardNoInterrupt,
        0,
        true,
    );
    t[77] = entry("JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[78] = entry("LIST_APPEND", Opcode::ListAppend, 0, true);
    t[79] = entry("LIST_EXTEND", Opcode::ListExtend, 0, true);
    t[80] = entry("LOAD_ATTR", Opcode::LoadAttr, 9, true);
    t[81] = entry("LOAD_COMMON_CONSTANT", Opcode::LoadCommonConstant, 0, true);
    t[82] = entry("LOAD_CONST", Opcode::LoadConst, 0, true);
    t[83] = entry("LOAD_DEREF", Opcode::LoadDeref, 0, true);
    t[84] = entry("LOAD_FAST", Opcode::LoadFast, 0, true);
    t[85] = entry("LOAD_FAST_AND_CLEAR", Opcode::LoadFastAndClear, 0, true);
    t[86] = entry("LOAD_FAST_BORROW", Opcode::LoadFastBorrow, 0, true);
    t[87] = entry(
        "LOAD_FAST_BORROW_LOAD_FAST_BORROW",
        Opcode::LoadFastBorrowLoadFastBorrow,
        0,
        true,
    );
    t[88] = entry("LOAD_FAST_CHECK", Opcode::LoadFastCheck, 0, true);
    t[89] = entry("LOAD_FAST_LOAD_FAST", Opcode::LoadFastLoadFast, 0, true);
    t[90] = entry(
        "LOAD_FROM_DICT_OR_DEREF",
        Opcode::LoadFromDictOrDeref,
        0,
        true,
    );
    t[91] = entry(
        "LOAD_FROM_DICT_OR_GLOBALS",
        Opcode::LoadFromDictOrGlobals,
        0,
        true,
    );
    t[92] = entry("LOAD_GLOBAL", Opcode::LoadGlobal, 4, true);
    t[93] = entry("LOAD_NAME", Opcode::LoadName, 0, true);
    t[94] = entry("LOAD_SMALL_INT", Opcode::LoadSmallInt, 0, true);
    t[95] = entry("LOAD_SPECIAL", Opcode::LoadSpecial, 0, true);
    t[96] = entry("LOAD_SUPER_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[97] = entry("MAKE_CELL", Opcode::MakeCell, 0, true);
    t[98] = entry("MAP_ADD", Opcode::MapAdd, 0, true);
    t[99] = entry("MATCH_CLASS", Opcode::MatchClass, 0, true);
    t[100] = entry("POP_JUMP_IF_FALSE", Opcode::PopJumpIfFalse, 1, true);
    t[101] = entry("POP_JUMP_IF_NONE", Opcode::PopJumpIfNone, 1, true);
    t[102] = entry("POP_JUMP_IF_NOT_NONE", Opcode::PopJumpIfNotNone, 1, true);
    t[103] = entry("POP_JUMP_IF_TRUE", Opcode::PopJumpIfTrue, 1, true);
    t[104] = entry("RAISE_VARARGS", Opcode::RaiseVarargs, 0, true);
    t[105] = entry("RERAISE", Opcode::Reraise, 0, true);
    t[106] = entry("SEND", Opcode::Send, 1, true);
    t[107] = entry("SET_ADD", Opcode::SetAdd, 0, true);
    t[108] = entry(
        "SET_FUNCTION_ATTRIBUTE",
        Opcode::SetFunctionAttribute,
        0,
        true,
    );
    t[109] = entry("SET_UPDATE", Opcode::SetUpdate, 0, true);
    t[110] = entry("STORE_ATTR", Opcode::StoreAttr, 4, true);
    t[111] = entry("STORE_DEREF", Opcode::StoreDeref, 0, true);
    t[112] = entry("STORE_FAST", Opcode::StoreFast, 0, true);
    t[113] = entry("STORE_FAST_LOAD_FAST", Opcode::StoreFastLoadFast, 0, true);
    t[114] = entry("STORE_FAST_STORE_FAST", Opcode::StoreFastStoreFast, 0, true);
    t[115] = entry("STORE_GLOBAL", Opcode::StoreGlobal, 0, true);
    t[116] = entry("STORE_NAME", Opcode::StoreName, 0, true);
    t[117] = entry("SWAP", Opcode::Swap, 0, true);
    t[118] = entry("UNPACK_EX", Opcode::UnpackEx, 0, true);
    t[119] = entry("UNPACK_SEQUENCE", Opcode::UnpackSequence, 1, true);
    t[120] = entry("YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[128] = entry("RESUME", Opcode::Resume, 0, true);
    t[129] = entry("BINARY_OP_ADD_FLOAT", Opcode::BinaryOp, 5, true);
    t[130] = entry("BINARY_OP_ADD_INT", Opcode::BinaryOp, 5, true);
    t[131] = entry("BINARY_OP_ADD_UNICODE", Opcode::BinaryOp, 5, true);
    t[132] = entry("BINARY_OP_EXTEND", Opcode::BinaryOp, 5, true);
    t[133] = entry("BINARY_OP_MULTIPLY_FLOAT", Opcode::BinaryOp, 5, true);
    t[134] = entry("BINARY_OP_MULTIPLY_INT", Opcode::BinaryOp, 5, true);
    t[135] = entry("BINARY_OP_SUBSCR_DICT", Opcode::BinaryOp, 5, true);
    t[136] = entry("BINARY_OP_SUBSCR_GETITEM", Opcode::BinaryOp, 5, true);
    t[137] = entry("BINARY_OP_SUBSCR_LIST_INT", Opcode::BinaryOp, 5, true);
    t[138] = entry("BINARY_OP_SUBSCR_LIST_SLICE", Opcode::BinaryOp, 5, true);
    t[139] = entry("BINARY_OP_SUBSCR_STR_INT", Opcode::BinaryOp, 5, true);
    t[140] = entry("BINARY_OP_SUBSCR_TUPLE_INT", Opcode::BinaryOp, 5, true);
    t[141] = entry("BINARY_OP_SUBTRACT_FLOAT", Opcode::BinaryOp, 5, true);
    t[142] = entry("BINARY_OP_SUBTRACT_INT", Opcode::BinaryOp, 5, true);
    t[143] = entry("CALL_ALLOC_AND_ENTER_INIT", Opcode::Call, 3, true);
    t[144] = entry("CALL_BOUND_METHOD_EXACT_ARGS", Opcode::Call, 3, true);
    t[145] = entry("CALL_BOUND_METHOD_GENERAL", Opcode::Call, 3, true);
    t[146] = entry("CALL_BUILTIN_CLASS", Opcode::Call, 3, true);
    t[147] = entry("CALL_BUILTIN_FAST", Opcode::Call, 3, true);
    t[148] = entry("CALL_BUILTIN_FAST_WITH_KEYWORDS", Opcode::Call, 3, true);
    t[149] = entry("CALL_BUILTIN_O", Opcode::Call, 3, true);
    t[150] = entry("CALL_ISINSTANCE", Opcode::Call, 3, true);
    t[151] = entry("CALL_KW_BOUND_METHOD", Opcode::CallKw, 3, true);
    t[152] = entry("CALL_KW_NON_PY", Opcode::CallKw, 3, true);
    t[153] = entry("CALL_KW_PY", Opcode::CallKw, 3, true);
    t[154] = entry("CALL_LEN", Opcode::Call, 3, true);
    t[155] = entry("CALL_LIST_APPEND", Opcode::Call, 3, true);
    t[156] = entry("CALL_METHOD_DESCRIPTOR_FAST", Opcode::Call, 3, true);
    t[157] = entry(
        "CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS",
        Opcode::Call,
        3,
        true,
    );
    t[158] = entry("CALL_METHOD_DESCRIPTOR_NOARGS", Opcode::Call, 3, true);
    t[159] = entry("CALL_METHOD_DESCRIPTOR_O", Opcode::Call, 3, true);
    t[160] = entry("CALL_NON_PY_GENERAL", Opcode::Call, 3, true);
    t[161] = entry("CALL_PY_EXACT_ARGS", Opcode::Call, 3, true);
    t[162] = entry("CALL_PY_GENERAL", Opcode::Call, 3, true);
    t[163] = entry("CALL_STR_1", Opcode::Call, 3, true);
    t[164] = entry("CALL_TUPLE_1", Opcode::Call, 3, true);
    t[165] = entry("CALL_TYPE_1", Opcode::Call, 3, true);
    t[166] = entry("COMPARE_OP_FLOAT", Opcode::CompareOp, 1, true);
    t[167] = entry("COMPARE_OP_INT", Opcode::CompareOp, 1, true);
    t[168] = entry("COMPARE_OP_STR", Opcode::CompareOp, 1, true);
    t[169] = entry("CONTAINS_OP_DICT", Opcode::ContainsOp, 1, true);
    t[170] = entry("CONTAINS_OP_SET", Opcode::ContainsOp, 1, true);
    t[171] = entry("FOR_ITER_GEN", Opcode::ForIter, 1, true);
    t[172] = entry("FOR_ITER_LIST", Opcode::ForIter, 1, true);
    t[173] = entry("FOR_ITER_RANGE", Opcode::ForIter, 1, true);
    t[174] = entry("FOR_ITER_TUPLE", Opcode::ForIter, 1, true);
    t[175] = entry("JUMP_BACKWARD_JIT", Opcode::JumpBackward, 1, true);
    t[176] = entry("JUMP_BACKWARD_NO_JIT", Opcode::JumpBackward, 1, true);
    t[177] = entry("LOAD_ATTR_CLASS", Opcode::LoadAttr, 9, true);
    t[178] = entry(
        "LOAD_ATTR_CLASS_WITH_METACLASS_CHECK",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[179] = entry(
        "LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[180] = entry("LOAD_ATTR_INSTANCE_VALUE", Opcode::LoadAttr, 9, true);
    t[181] = entry("LOAD_ATTR_METHOD_LAZY_DICT", Opcode::LoadAttr, 9, true);
    t[182] = entry("LOAD_ATTR_METHOD_NO_DICT", Opcode::LoadAttr, 9, true);
    t[183] = entry("LOAD_ATTR_METHOD_WITH_VALUES", Opcode::LoadAttr, 9, true);
    t[184] = entry("LOAD_ATTR_MODULE", Opcode::LoadAttr, 9, true);
    t[185] = entry("LOAD_ATTR_NONDESCRIPTOR_NO_DICT", Opcode::LoadAttr, 9, true);
    t[186] = entry(
        "LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[187] = entry("LOAD_ATTR_PROPERTY", Opcode::LoadAttr, 9, true);
    t[188] = entry("LOAD_ATTR_SLOT", Opcode::LoadAttr, 9, true);
    t[189] = entry("LOAD_ATTR_WITH_HINT", Opcode::LoadAttr, 9, true);
    t[190] = entry("LOAD_CONST_IMMORTAL", Opcode::LoadConst, 0, true);
    t[191] = entry("LOAD_CONST_MORTAL", Opcode::LoadConst, 0, true);
    t[192] = entry("LOAD_GLOBAL_BUILTIN", Opcode::LoadGlobal, 4, true);
    t[193] = entry("LOAD_GLOBAL_MODULE", Opcode::LoadGlobal, 4, true);
    t[194] = entry("LOAD_SUPER_ATTR_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[195] = entry("LOAD_SUPER_ATTR_METHOD", Opcode::LoadSuperAttr, 1, true);
    t[196] = entry("RESUME_CHECK", Opcode::Resume, 0, true);
    t[197] = entry("SEND_GEN", Opcode::Send, 1, true);
    t[198] = entry("STORE_ATTR_INSTANCE_VALUE", Opcode::StoreAttr, 4, true);
    t[199] = entry("STORE_ATTR_SLOT", Opcode::StoreAttr, 4, true);
    t[200] = entry("STORE_ATTR_WITH_HINT", Opcode::StoreAttr, 4, true);
    t[201] = entry("STORE_SUBSCR_DICT", Opcode::StoreSubscr, 1, false);
    t[202] = entry("STORE_SUBSCR_LIST_INT", Opcode::StoreSubscr, 1, false);
    t[203] = entry("TO_BOOL_ALWAYS_TRUE", Opcode::ToBool, 3, false);
    t[204] = entry("TO_BOOL_BOOL", Opcode::ToBool, 3, false);
    t[205] = entry("TO_BOOL_INT", Opcode::ToBool, 3, false);
    t[206] = entry("TO_BOOL_LIST", Opcode::ToBool, 3, false);
    t[207] = entry("TO_BOOL_NONE", Opcode::ToBool, 3, false);
    t[208] = entry("TO_BOOL_STR", Opcode::ToBool, 3, false);
    t[209] = entry("UNPACK_SEQUENCE_LIST", Opcode::UnpackSequence, 1, true);
    t[210] = entry("UNPACK_SEQUENCE_TUPLE", Opcode::UnpackSequence, 1, true);
    t[211] = entry("UNPACK_SEQUENCE_TWO_TUPLE", Opcode::UnpackSequence, 1, true);
    t[234] = entry("INSTRUMENTED_END_FOR", Opcode::EndFor, 0, false);
    t[235] = entry("INSTRUMENTED_POP_ITER", Opcode::PopIter, 0, false);
    t[236] = entry("INSTRUMENTED_END_SEND", Opcode::EndSend, 0, false);
    t[237] = entry("INSTRUMENTED_FOR_ITER", Opcode::ForIter, 1, true);
    t[238] = entry(
        "INSTRUMENTED_INSTRUCTION",
        Opcode::InstrumentedInstruction,
        0,
        false,
    );
    t[239] = entry("INSTRUMENTED_JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[240] = entry("INSTRUMENTED_NOT_TAKEN", Opcode::NotTaken, 0, false);
    t[241] = entry(
        "INSTRUMENTED_POP_JUMP_IF_TRUE",
        Opcode::PopJumpIfTrue,
        1,
        true,
    );
    t[242] = entry(
        "INSTRUMENTED_POP_JUMP_IF_FALSE",
        Opcode::PopJumpIfFalse,
        1,
        true,
    );
    t[243] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NONE",
        Opcode::PopJumpIfNone,
        1,
        true,
    );
    t[244] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NOT_NONE",
        Opcode::PopJumpIfNotNone,
        1,
        true,
    );
    t[245] = entry("INSTRUMENTED_RESUME", Opcode::Resume, 0, true);
    t[246] = entry("INSTRUMENTED_RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[247] = entry("INSTRUMENTED_YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[248] = entry("INSTRUMENTED_END_ASYNC_FOR", Opcode::EndAsyncFor, 0, true);
    t[249] = entry(
        "INSTRUMENTED_LOAD_SUPER_ATTR",
        Opcode::LoadSuperAttr,
        1,
        true,
    );
    t[250] = entry("INSTRUMENTED_CALL", Opcode::Call, 3, true);
    t[251] = entry("INSTRUMENTED_CALL_KW", Opcode::CallKw, 3, true);
    t[252] = entry(
        "INSTRUMENTED_CALL_FUNCTION_EX",
        Opcode::CallFunctionEx,
        0,
        false,
    );
    t[253] = entry("INSTRUMENTED_JUMP_BACKWARD", Opcode::JumpBackward, 1, true);
    t[254] = entry("INSTRUMENTED_LINE", Opcode::InstrumentedLine, 0, false);
    t[255] = entry("ENTER_EXECUTOR", Opcode::EnterExecutor, 0, true);
    t
};

/// CPython 3.15, indexed by opcode byte.
pub(super) static PY315: [Option<Entry>; 256] = {
    let mut t = [None; 256];
    t[0] = entry("CACHE", Opcode::Cache, 0, false);
    t[1] = entry("BINARY_SLICE", Opcode::BinarySlice, 0, false);
    t[2] = entry("BUILD_TEMPLATE", Opcode::BuildTemplate, 0, false);
    t[3] = entry("BINARY_OP_INPLACE_ADD_UNICODE", Opcode::BinaryOp, 5, true);
    t[4] = entry("CALL_FUNCTION_EX", Opcode::CallFunctionEx, 1, false);
    t[5] = entry("CHECK_EG_MATCH", Opcode::CheckEgMatch, 0, false);
    t[6] = entry("CHECK_EXC_MATCH", Opcode::CheckExcMatch, 0, false);
    t[7] = entry("CLEANUP_THROW", Opcode::CleanupThrow, 0, false);
    t[8] = entry("DELETE_SUBSCR", Opcode::DeleteSubscr, 0, false);
    t[9] = entry("END_FOR", Opcode::EndFor, 0, false);
    t[10] = entry("END_SEND", Opcode::EndSend, 0, false);
    t[11] = entry("EXIT_INIT_CHECK", Opcode::ExitInitCheck, 0, false);
    t[12] = entry("FORMAT_SIMPLE", Opcode::FormatSimple, 0, false);
    t[13] = entry("FORMAT_WITH_SPEC", Opcode::FormatWithSpec, 0, false);
    t[14] = entry("GET_AITER", Opcode::GetAiter, 0, false);
    t[15] = entry("GET_ANEXT", Opcode::GetAnext, 0, false);
    t[16] = entry("GET_LEN", Opcode::GetLen, 0, false);
    t[17] = entry("RESERVED", Opcode::Reserved, 0, false);
    t[18] = entry("INTERPRETER_EXIT", Opcode::InterpreterExit, 0, false);
    t[19] = entry("LOAD_BUILD_CLASS", Opcode::LoadBuildClass, 0, false);
    t[20] = entry("LOAD_LOCALS", Opcode::LoadLocals, 0, false);
    t[21] = entry("MAKE_FUNCTION", Opcode::MakeFunction, 0, false);
    t[22] = entry("MATCH_KEYS", Opcode::MatchKeys, 0, false);
    t[23] = entry("MATCH_MAPPING", Opcode::MatchMapping, 0, false);
    t[24] = entry("MATCH_SEQUENCE", Opcode::MatchSequence, 0, false);
    t[25] = entry("NOP", Opcode::Nop, 0, false);
    t[26] = entry("NOT_TAKEN", Opcode::NotTaken, 0, false);
    t[27] = entry("POP_EXCEPT", Opcode::PopExcept, 0, false);
    t[28] = entry("POP_ITER", Opcode::PopIter, 0, false);
    t[29] = entry("POP_TOP", Opcode::PopTop, 0, false);
    t[30] = entry("PUSH_EXC_INFO", Opcode::PushExcInfo, 0, false);
    t[31] = entry("PUSH_NULL", Opcode::PushNull, 0, false);
    t[32] = entry("RETURN_GENERATOR", Opcode::ReturnGenerator, 0, false);
    t[33] = entry("RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[34] = entry("SETUP_ANNOTATIONS", Opcode::SetupAnnotations, 0, false);
    t[35] = entry("STORE_SLICE", Opcode::StoreSlice, 0, false);
    t[36] = entry("STORE_SUBSCR", Opcode::StoreSubscr, 1, false);
    t[37] = entry("TO_BOOL", Opcode::ToBool, 3, false);
    t[38] = entry("UNARY_INVERT", Opcode::UnaryInvert, 0, false);
    t[39] = entry("UNARY_NEGATIVE", Opcode::UnaryNegative, 0, false);
    t[40] = entry("UNARY_NOT", Opcode::UnaryNot, 0, false);
    t[41] = entry("WITH_EXCEPT_START", Opcode::WithExceptStart, 0, false);
    t[42] = entry("BINARY_OP", Opcode::BinaryOp, 5, true);
    t[43] = entry("BUILD_INTERPOLATION", Opcode::BuildInterpolation, 0, true);
    t[44] = entry("BUILD_LIST", Opcode::BuildList, 0, true);
    t[45] = entry("BUILD_MAP", Opcode::BuildMap, 0, true);
    t[46] = entry("BUILD_SET", Opcode::BuildSet, 0, true);
    t[47] = entry("BUILD_SLICE", Opcode::BuildSlice, 0, true);
    t[48] = entry("BUILD_STRING", Opcode::BuildString, 0, true);
    t[49] = entry("BUILD_TUPLE", Opcode::BuildTuple, 0, true);
    t[50] = entry("CALL", Opcode::Call, 3, true);
    t[51] = entry("CALL_INTRINSIC_1", Opcode::CallIntrinsic1, 0, true);
    t[52] = entry("CALL_INTRINSIC_2", Opcode::CallIntrinsic2, 0, true);
    t[53] = entry("CALL_KW", Opcode::CallKw, 3, true);
    t[54] = entry("COMPARE_OP", Opcode::CompareOp, 1, true);
    t[55] = entry("CONTAINS_OP", Opcode::ContainsOp, 1, true);
    t[56] = entry("CONVERT_VALUE", Opcode::ConvertValue, 0, true);
    t[57] = entry("COPY", Opcode::Copy, 0, true);
    t[58] = entry("COPY_FREE_VARS", Opcode::CopyFreeVars, 0, true);
    t[59] = entry("DELETE_ATTR", Opcode::DeleteAttr, 0, true);
    t[60] = entry("DELETE_DEREF", Opcode::DeleteDeref, 0, true);
    t[61] = entry("DELETE_FAST", Opcode::DeleteFast, 0, true);
    t[62] = entry("DELETE_GLOBAL", Opcode::DeleteGlobal, 0, true);
    t[63] = entry("DELETE_NAME", Opcode::DeleteName, 0, true);
    t[64] = entry("DICT_MERGE", Opcode::DictMerge, 0, true);
    t[65] = entry("DICT_UPDATE", Opcode::DictUpdate, 0, true);
    t[66] = entry("END_ASYNC_FOR", Opcode::EndAsyncFor, 0, true);
    t[67] = entry("EXTENDED_ARG", Opcode::ExtendedArg, 0, true);
    t[68] = entry("FOR_ITER", Opcode::ForIter, 1, true);
    t[69] = entry("GET_AWAITABLE", Opcode::GetAwaitable, 0, true);
    t[70] = entry("GET_ITER", Opcode::GetIter, 1, true);
    t[71] = entry("IMPORT_FROM", Opcode::ImportFrom, 0, true);
    t[72] = entry("IMPORT_NAME", Opcode::ImportName, 0, true);
    t[73] = entry("IS_OP", Opcode::IsOp, 0, true);
    t[74] = entry("JUMP_BACKWARD", Opcode::JumpBackward, 1, true);
    t[75] = entry(
        "JUMP_BACKWARD_NO_INTERRUPT",
        Opcode::JumpBackwardNoInterrupt,
        0,
        true,
    );
    t[76] = entry("JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[77] = entry("LIST_APPEND", Opcode::ListAppend, 0, true);
    t[78] = entry("LIST_EXTEND", Opcode::ListExtend, 0, true);
    t[79] = entry("LOAD_ATTR", Opcode::LoadAttr, 9, true);
    t[80] = entry("LOAD_COMMON_CONSTANT", Opcode::LoadCommonConstant, 0, true);
    t[81] = entry("LOAD_CONST", Opcode::LoadConst, 0, true);
    t[82] = entry("LOAD_DEREF", Opcode::LoadDeref, 0, true);
    t[83] = entry("LOAD_FAST", Opcode::LoadFast, 0, true);
    t[84] = entry("LOAD_FAST_AND_CLEAR", Opcode::LoadFastAndClear, 0, true);
    t[85] = entry("LOAD_FAST_BORROW", Opcode::LoadFastBorrow, 0, true);
    t[86] = entry(
        "LOAD_FAST_BORROW_LOAD_FAST_BORROW",
        Opcode::LoadFastBorrowLoadFastBorrow,
        0,
        true,
    );
    t[87] = entry("LOAD_FAST_CHECK", Opcode::LoadFastCheck, 0, true);
    t[88] = entry("LOAD_FAST_LOAD_FAST", Opcode::LoadFastLoadFast, 0, true);
    t[89] = entry(
        "LOAD_FROM_DICT_OR_DEREF",
        Opcode::LoadFromDictOrDeref,
        0,
        true,
    );
    t[90] = entry(
        "LOAD_FROM_DICT_OR_GLOBALS",
        Opcode::LoadFromDictOrGlobals,
        0,
        true,
    );
    t[91] = entry("LOAD_GLOBAL", Opcode::LoadGlobal, 4, true);
    t[92] = entry("LOAD_NAME", Opcode::LoadName, 0, true);
    t[93] = entry("LOAD_SMALL_INT", Opcode::LoadSmallInt, 0, true);
    t[94] = entry("LOAD_SPECIAL", Opcode::LoadSpecial, 0, true);
    t[95] = entry("LOAD_SUPER_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[96] = entry("MAKE_CELL", Opcode::MakeCell, 0, true);
    t[97] = entry("MAP_ADD", Opcode::MapAdd, 0, true);
    t[98] = entry("MATCH_CLASS", Opcode::MatchClass, 0, true);
    t[99] = entry("POP_JUMP_IF_FALSE", Opcode::PopJumpIfFalse, 1, true);
    t[100] = entry("POP_JUMP_IF_NONE", Opcode::PopJumpIfNone, 1, true);
    t[101] = entry("POP_JUMP_IF_NOT_NONE", Opcode::PopJumpIfNotNone, 1, true);
    t[102] = entry("POP_JUMP_IF_TRUE", Opcode::PopJumpIfTrue, 1, true);
    t[103] = entry("RAISE_VARARGS", Opcode::RaiseVarargs, 0, true);
    t[104] = entry("RERAISE", Opcode::Reraise, 0, true);
    t[105] = entry("SEND", Opcode::Send, 1, true);
    t[106] = entry("SET_ADD", Opcode::SetAdd, 0, true);
    t[107] = entry(
        "SET_FUNCTION_ATTRIBUTE",
        Opcode::SetFunctionAttribute,
        0,
        true,
    );
    t[108] = entry("SET_UPDATE", Opcode::SetUpdate, 0, true);
    t[109] = entry("STORE_ATTR", Opcode::StoreAttr, 4, true);
    t[110] = entry("STORE_DEREF", Opcode::StoreDeref, 0, true);
    t[111] = entry("STORE_FAST", Opcode::StoreFast, 0, true);
    t[112] = entry("STORE_FAST_LOAD_FAST", Opcode::StoreFastLoadFast, 0, true);
    t[113] = entry("STORE_FAST_STORE_FAST", Opcode::StoreFastStoreFast, 0, true);
    t[114] = entry("STORE_GLOBAL", Opcode::StoreGlobal, 0, true);
    t[115] = entry("STORE_NAME", Opcode::StoreName, 0, true);
    t[116] = entry("SWAP", Opcode::Swap, 0, true);
    t[117] = entry("UNPACK_EX", Opcode::UnpackEx, 0, true);
    t[118] = entry("UNPACK_SEQUENCE", Opcode::UnpackSequence, 1, true);
    t[119] = entry("YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[128] = entry("RESUME", Opcode::Resume, 1, true);
    t[129] = entry("BINARY_OP_ADD_FLOAT", Opcode::BinaryOp, 5, true);
    t[130] = entry("BINARY_OP_ADD_INT", Opcode::BinaryOp, 5, true);
    t[131] = entry("BINARY_OP_ADD_UNICODE", Opcode::BinaryOp, 5, true);
    t[132] = entry("BINARY_OP_EXTEND", Opcode::BinaryOp, 5, true);
    t[133] = entry("BINARY_OP_MULTIPLY_FLOAT", Opcode::BinaryOp, 5, true);
    t[134] = entry("BINARY_OP_MULTIPLY_INT", Opcode::BinaryOp, 5, true);
    t[135] = entry("BINARY_OP_SUBSCR_DICT", Opcode::BinaryOp, 5, true);
    t[136] = entry("BINARY_OP_SUBSCR_GETITEM", Opcode::BinaryOp, 5, true);
    t[137] = entry("BINARY_OP_SUBSCR_LIST_INT", Opcode::BinaryOp, 5, true);
    t[138] = entry("BINARY_OP_SUBSCR_LIST_SLICE", Opcode::BinaryOp, 5, true);
    t[139] = entry("BINARY_OP_SUBSCR_STR_INT", Opcode::BinaryOp, 5, true);
    t[140] = entry("BINARY_OP_SUBSCR_TUPLE_INT", Opcode::BinaryOp, 5, true);
    t[141] = entry("BINARY_OP_SUBSCR_USTR_INT", Opcode::BinaryOp, 5, true);
    t[142] = entry("BINARY_OP_SUBTRACT_FLOAT", Opcode::BinaryOp, 5, true);
    t[143] = entry("BINARY_OP_SUBTRACT_INT", Opcode::BinaryOp, 5, true);
    t[144] = entry("CALL_ALLOC_AND_ENTER_INIT", Opcode::Call, 3, true);
    t[145] = entry("CALL_BOUND_METHOD_EXACT_ARGS", Opcode::Call, 3, true);
    t[146] = entry("CALL_BOUND_METHOD_GENERAL", Opcode::Call, 3, true);
    t[147] = entry("CALL_BUILTIN_CLASS", Opcode::Call, 3, true);
    t[148] = entry("CALL_BUILTIN_FAST", Opcode::Call, 3, true);
    t[149] = entry("CALL_BUILTIN_FAST_WITH_KEYWORDS", Opcode::Call, 3, true);
    t[150] = entry("CALL_BUILTIN_O", Opcode::Call, 3, true);
    t[151] = entry("CALL_EX_NON_PY_GENERAL", Opcode::CallFunctionEx, 1, false);
    t[152] = entry("CALL_EX_PY", Opcode::CallFunctionEx, 1, false);
    t[153] = entry("CALL_ISINSTANCE", Opcode::Call, 3, true);
    t[154] = entry("CALL_KW_BOUND_METHOD", Opcode::CallKw, 3, true);
    t[155] = entry("CALL_KW_NON_PY", Opcode::CallKw, 3, true);
    t[156] = entry("CALL_KW_PY", Opcode::CallKw, 3, true);
    t[157] = entry("CALL_LEN", Opcode::Call, 3, true);
    t[158] = entry("CALL_LIST_APPEND", Opcode::Call, 3, true);
    t[159] = entry("CALL_METHOD_DESCRIPTOR_FAST", Opcode::Call, 3, true);
    t[160] = entry(
        "CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS",
        Opcode::Call,
        3,
        true,
    );
    t[161] = entry("CALL_METHOD_DESCRIPTOR_NOARGS", Opcode::Call, 3, true);
    t[162] = entry("CALL_METHOD_DESCRIPTOR_O", Opcode::Call, 3, true);
    t[163] = entry("CALL_NON_PY_GENERAL", Opcode::Call, 3, true);
    t[164] = entry("CALL_PY_EXACT_ARGS", Opcode::Call, 3, true);
    t[165] = entry("CALL_PY_GENERAL", Opcode::Call, 3, true);
    t[166] = entry("CALL_STR_1", Opcode::Call, 3, true);
    t[167] = entry("CALL_TUPLE_1", Opcode::Call, 3, true);
    t[168] = entry("CALL_TYPE_1", Opcode::Call, 3, true);
    t[169] = entry("COMPARE_OP_FLOAT", Opcode::CompareOp, 1, true);
    t[170] = entry("COMPARE_OP_INT", Opcode::CompareOp, 1, true);
    t[171] = entry("COMPARE_OP_STR", Opcode::CompareOp, 1, true);
    t[172] = entry("CONTAINS_OP_DICT", Opcode::ContainsOp, 1, true);
    t[173] = entry("CONTAINS_OP_SET", Opcode::ContainsOp, 1, true);
    t[174] = entry("FOR_ITER_GEN", Opcode::ForIter, 1, true);
    t[175] = entry("FOR_ITER_LIST", Opcode::ForIter, 1, true);
    t[176] = entry("FOR_ITER_RANGE", Opcode::ForIter, 1, true);
    t[177] = entry("FOR_ITER_TUPLE", Opcode::ForIter, 1, true);
    t[178] = entry("FOR_ITER_VIRTUAL", Opcode::ForIter, 1, true);
    t[179] = entry("GET_ITER_SELF", Opcode::GetIter, 1, true);
    t[180] = entry("GET_ITER_VIRTUAL", Opcode::GetIter, 1, true);
    t[181] = entry("JUMP_BACKWARD_JIT", Opcode::JumpBackward, 1, true);
    t[182] = entry("JUMP_BACKWARD_NO_JIT", Opcode::JumpBackward, 1, true);
    t[183] = entry("LOAD_ATTR_CLASS", Opcode::LoadAttr, 9, true);
    t[184] = entry(
        "LOAD_ATTR_CLASS_WITH_METACLASS_CHECK",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[185] = entry(
        "LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[186] = entry("LOAD_ATTR_INSTANCE_VALUE", Opcode::LoadAttr, 9, true);
    t[187] = entry("LOAD_ATTR_METHOD_LAZY_DICT", Opcode::LoadAttr, 9, true);
    t[188] = entry("LOAD_ATTR_METHOD_NO_DICT", Opcode::LoadAttr, 9, true);
    t[189] = entry("LOAD_ATTR_METHOD_WITH_VALUES", Opcode::LoadAttr, 9, true);
    t[190] = entry("LOAD_ATTR_MODULE", Opcode::LoadAttr, 9, true);
    t[191] = entry("LOAD_ATTR_NONDESCRIPTOR_NO_DICT", Opcode::LoadAttr, 9, true);
    t[192] = entry(
        "LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES",
        Opcode::LoadAttr,
        9,
        true,
    );
    t[193] = entry("LOAD_ATTR_PROPERTY", Opcode::LoadAttr, 9, true);
    t[194] = entry("LOAD_ATTR_SLOT", Opcode::LoadAttr, 9, true);
    t[195] = entry("LOAD_ATTR_WITH_HINT", Opcode::LoadAttr, 9, true);
    t[196] = entry("LOAD_GLOBAL_BUILTIN", Opcode::LoadGlobal, 4, true);
    t[197] = entry("LOAD_GLOBAL_MODULE", Opcode::LoadGlobal, 4, true);
    t[198] = entry("LOAD_SUPER_ATTR_ATTR", Opcode::LoadSuperAttr, 1, true);
    t[199] = entry("LOAD_SUPER_ATTR_METHOD", Opcode::LoadSuperAttr, 1, true);
    t[200] = entry("RESUME_CHECK", Opcode::Resume, 1, true);
    t[201] = entry("RESUME_CHECK_JIT", Opcode::Resume, 1, true);
    t[202] = entry("SEND_ASYNC_GEN", Opcode::Send, 1, true);
    t[203] = entry("SEND_GEN", Opcode::Send, 1, true);
    t[204] = entry("SEND_VIRTUAL", Opcode::Send, 1, true);
    t[205] = entry("STORE_ATTR_INSTANCE_VALUE", Opcode::StoreAttr, 4, true);
    t[206] = entry("STORE_ATTR_SLOT", Opcode::StoreAttr, 4, true);
    t[207] = entry("STORE_ATTR_WITH_HINT", Opcode::StoreAttr, 4, true);
    t[208] = entry("STORE_SUBSCR_DICT", Opcode::StoreSubscr, 1, false);
    t[209] = entry("STORE_SUBSCR_LIST_INT", Opcode::StoreSubscr, 1, false);
    t[210] = entry("TO_BOOL_ALWAYS_TRUE", Opcode::ToBool, 3, false);
    t[211] = entry("TO_BOOL_BOOL", Opcode::ToBool, 3, false);
    t[212] = entry("TO_BOOL_INT", Opcode::ToBool, 3, false);
    t[213] = entry("TO_BOOL_LIST", Opcode::ToBool, 3, false);
    t[214] = entry("TO_BOOL_NONE", Opcode::ToBool, 3, false);
    t[215] = entry("TO_BOOL_STR", Opcode::ToBool, 3, false);
    t[216] = entry("UNPACK_SEQUENCE_LIST", Opcode::UnpackSequence, 1, true);
    t[217] = entry("UNPACK_SEQUENCE_TUPLE", Opcode::UnpackSequence, 1, true);
    t[218] = entry("UNPACK_SEQUENCE_TWO_TUPLE", Opcode::UnpackSequence, 1, true);
    t[233] = entry("INSTRUMENTED_END_FOR", Opcode::EndFor, 0, false);
    t[234] = entry("INSTRUMENTED_POP_ITER", Opcode::PopIter, 0, false);
    t[235] = entry("INSTRUMENTED_END_SEND", Opcode::EndSend, 0, false);
    t[236] = entry("INSTRUMENTED_FOR_ITER", Opcode::ForIter, 1, true);
    t[237] = entry(
        "INSTRUMENTED_INSTRUCTION",
        Opcode::InstrumentedInstruction,
        0,
        false,
    );
    t[238] = entry("INSTRUMENTED_JUMP_FORWARD", Opcode::JumpForward, 0, true);
    t[239] = entry("INSTRUMENTED_NOT_TAKEN", Opcode::NotTaken, 0, false);
    t[240] = entry(
        "INSTRUMENTED_POP_JUMP_IF_TRUE",
        Opcode::PopJumpIfTrue,
        1,
        true,
    );
    t[241] = entry(
        "INSTRUMENTED_POP_JUMP_IF_FALSE",
        Opcode::PopJumpIfFalse,
        1,
        true,
    );
    t[242] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NONE",
        Opcode::PopJumpIfNone,
        1,
        true,
    );
    t[243] = entry(
        "INSTRUMENTED_POP_JUMP_IF_NOT_NONE",
        Opcode::PopJumpIfNotNone,
        1,
        true,
    );
    t[244] = entry("INSTRUMENTED_RESUME", Opcode::Resume, 1, true);
    t[245] = entry("INSTRUMENTED_RETURN_VALUE", Opcode::ReturnValue, 0, false);
    t[246] = entry("INSTRUMENTED_YIELD_VALUE", Opcode::YieldValue, 0, true);
    t[247] = entry("INSTRUMENTED_END_ASYNC_FOR", Opcode::EndAsyncFor, 0, true);
    t[248] = entry(
        "INSTRUMENTED_LOAD_SUPER_ATTR",
        Opcode::LoadSuperAttr,
        1,
        true,
    );
    t[249] = entry("INSTRUMENTED_CALL", Opcode::Call, 3, true);
    t[250] = entry("INSTRUMENTED_CALL_KW", Opcode::CallKw, 3, true);
    t[251] = entry(
        "INSTRUMENTED_CALL_FUNCTION_EX",
        Opcode::CallFunctionEx,
        1,
        false,
    );
    t[252] = entry("INSTRUMENTED_JUMP_BACKWARD", Opcode::JumpBackward, 1, true);
    t[253] = entry("INSTRUMENTED_LINE", Opcode::InstrumentedLine, 0, false);
    t[254] = entry("ENTER_EXECUTOR", Opcode::EnterExecutor, 0, true);
    t[255] = entry("TRACE_RECORD", Opcode::TraceRecord, 0, true);
    t
};
